"""Casino: players capture cards from the board by value and by building (rules CAS-1 to CAS-10,
docs/rules/casino.md).
"""
