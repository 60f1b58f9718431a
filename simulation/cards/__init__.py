"""Card games on a drawn table, seen by exact eyes: the top of each pile and the open cards, as they truly are."""
