"""Simulated devices, which speak the same protocol from the other side, for demonstrations and for tests."""
