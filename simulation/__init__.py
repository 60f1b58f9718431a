"""Simulates the world for tests and benches: drawn tables, noisy readers, players, devices on a wire."""
