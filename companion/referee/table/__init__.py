"""Turns readings and taps into rows of the record and alerts."""
