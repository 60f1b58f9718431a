"""The memory of games: players, results, and the records of players and pairs."""
