"""The written forms of events and positions, and the options that several games share."""
