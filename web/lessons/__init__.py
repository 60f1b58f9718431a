"""Lessons of five minutes, one for each kind of game: the real rules and the real page."""

from web.lessons.catalog import LESSONS, Lesson, LessonScene
from web.lessons.classroom import Classroom
from web.lessons.lessons import Lessons

__all__ = ["LESSONS", "Classroom", "Lesson", "LessonScene", "Lessons"]
