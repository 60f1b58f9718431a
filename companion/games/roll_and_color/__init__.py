"""Roll & Color: nine dice, four re-rolls, 24 rows to fill (rules ROL-1 to ROL-16, docs/rules/roll-and-color.md)."""
