"""A game in play: its session, the referee that turns readings into verdicts, and the questions to the players."""
