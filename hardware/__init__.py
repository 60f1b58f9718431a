"""Devices on a serial line: ports, the reliable link, dice tower and LED board."""
