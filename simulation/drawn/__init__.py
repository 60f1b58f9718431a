"""Drawn tables for tests: pictures of pyramid games whose truth is known to the millimeter, in milliseconds each.

The shapes are those of `vision.readers.pyramids.hypothesis`; everything else (plastic, tables, lamps, lens, sensor) is made here, on
purpose with more in it than the readers model, so that a test cannot pass by agreeing with itself.
"""
