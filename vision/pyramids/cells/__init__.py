"""The reader that is to come: a net tells each cell of the mat what it shows, exact shapes are fitted to its answers.

It is complete but for a net that has learned long enough, so nothing uses it yet: see `docs/accuracy-pyramids.md`.
"""
