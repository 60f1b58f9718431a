"""Follows pieces from picture to picture, and notices what covers them."""
