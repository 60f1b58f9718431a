"""Ice Stalks: rocks drawn from a bag let colored stalks grow (rules ICE-1 to ICE-22, docs/rules/ice-stalks.md)."""
