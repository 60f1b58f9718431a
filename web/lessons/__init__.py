"""Lessons of five minutes, one for each kind of game: the real rules and the real page, on a desk of their own."""

from web.lessons.catalog import LESSONS
from web.lessons.classroom import Classroom
from web.lessons.house import Lessons
from web.lessons.lesson import Lesson, Scene

__all__ = ["LESSONS", "Classroom", "Lesson", "Lessons", "Scene"]
