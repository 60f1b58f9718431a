"""The commands, one file each. Only they may import `vision`, `hardware` and `web`, because they connect everything."""
