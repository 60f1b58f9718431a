"""Roll & Color: nine dice, four re-rolls, 24 rows to fill (rules ROL-1 to ROL-16, docs/rules/roll-and-color.md)."""

from companion.games.roll_and_color.game import ROLL_AND_COLOR

__all__ = ["ROLL_AND_COLOR"]
