"""Devices without hardware: the same protocol from the other side, for demonstrations and for tests."""
