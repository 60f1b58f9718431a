"""Facts about games for the page: options, lengths and matches."""
