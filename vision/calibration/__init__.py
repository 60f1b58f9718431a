"""A table that was shown empty: the kept picture, and the differences of later pictures."""
