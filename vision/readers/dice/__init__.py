"""The reader of dice: Spectrum dice with six and twelve colors and dice with pips, in a tray."""
