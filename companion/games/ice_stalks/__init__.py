"""Ice Stalks: rocks from a bag grow colored stalks (rules ICE-1 to ICE-22, docs/rules/ice-stalks.md)."""
