"""Simulates the world for tests and benches: drawn tables, noisy readers, players, and devices on a wire."""
