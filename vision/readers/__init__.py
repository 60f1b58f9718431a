"""One reader for each kind of piece."""
