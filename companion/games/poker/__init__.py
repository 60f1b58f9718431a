"""Poker with fourteen categories, two rankings and a refereed showdown (rules POK-1 to POK-4, docs/rules/poker.md)."""
