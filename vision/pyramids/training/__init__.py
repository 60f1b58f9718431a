"""Training of the three small nets from labelled pictures: `python -m vision.pyramids.training FOLDER...`."""
