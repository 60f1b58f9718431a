"""Plays games on a table measured in millimeters and reports them to the referee as eyes with a memory would, without
any picture.

The eyes follow things as `vision.memory.tracks` does: by where the things stand, what has changed, and what hides them
from the camera. So a test can judge a referee by thousands of turns an hour, through eyes that never err or that err as
often as the test asks.
"""
