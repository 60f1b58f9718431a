"""What the page lists of games: options, lengths and matches."""
