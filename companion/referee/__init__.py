"""A game in play: the session, what the camera's verdicts do to it, and what people are asked."""
