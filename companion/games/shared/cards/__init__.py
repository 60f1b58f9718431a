"""Decks, hands, dealing and the events of card games."""
