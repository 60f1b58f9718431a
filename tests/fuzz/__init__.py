"""Cases that nobody thought of: whatever is said, sent or read, the answer is one sentence or a right result.

Each module makes one random case from a source of chance. The tests beside them run a few of each; `make fuzz
ARGS=MINUTES` runs all of them for as long as it is told, and prints the number of a case that fails.
"""
