"""Everything that a house remembers in one file: made while a game is played, checked whole before it is put back."""
