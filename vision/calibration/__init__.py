"""The calibration of a table: the kept picture of the empty table, and the differences of later pictures from it."""
