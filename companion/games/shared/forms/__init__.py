"""How events and positions are written, and the options that several games share."""
