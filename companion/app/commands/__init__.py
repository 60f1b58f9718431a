"""The commands, one file each. Only these may look into `vision`, `hardware` and `web`: they wire everything."""
