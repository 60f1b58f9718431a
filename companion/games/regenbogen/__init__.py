"""Regenbogen: a duel of Wizards, Clerics and Spirits on 44 colored cells (rules RGB-1 to RGB-29,
docs/rules/regenbogen.md).
"""
