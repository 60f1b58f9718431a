"""The vocabulary that all rooms share: the contract of games, pieces, layouts, plans, and protocols for the outside
world.
"""
