"""Plays card games on a simulated table with exact readings: the top of each pile and the open cards."""
