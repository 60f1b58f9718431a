"""One game in progress: its position and history, its clock, and the croupier that deals it."""
