"""The vocabulary of the house: the contract of games, pieces, layouts and plans, and the protocols of the outside."""
