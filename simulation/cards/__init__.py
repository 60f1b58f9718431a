"""Card games on a drawn table, seen by exact eyes: what is on top of each pile and what lies open, as it truly is."""
