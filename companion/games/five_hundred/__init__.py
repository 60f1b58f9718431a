"""500: groups and shaded sequences, discards to take, and the call "Spectrum!" (rules 500-1 to 500-9)."""
