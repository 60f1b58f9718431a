"""Draws tables for tests: pictures of games whose truth is known to the millimeter, in milliseconds each.

The shapes of pyramids are those of `vision.readers.pyramids.hypothesis`; everything else (plastic, tables, lamps, lens,
sensor) is modeled here, on purpose in more detail than in the readers, so that a test cannot pass because a model
agrees with itself.
"""
