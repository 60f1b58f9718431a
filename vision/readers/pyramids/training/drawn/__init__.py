"""Drawn training pictures: random tables, lamps and pieces, traced from the exact shapes that readers fit."""
