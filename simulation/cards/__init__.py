"""Card games on a drawn table, with exact readings: the top of each pile and the open cards."""
