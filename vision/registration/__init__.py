"""Finds the markers of a picture and joins picture, pose and light to one registered image."""
