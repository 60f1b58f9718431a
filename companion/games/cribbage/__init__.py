"""Cribbage for two and four: pegging to 37, eighteens and the crib (rules CRB-1 to CRB-12, docs/rules/cribbage.md)."""
