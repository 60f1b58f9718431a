"""500: players meld groups and shaded sequences, take discards, and call "Spectrum!" (rules 500-1 to 500-9)."""
