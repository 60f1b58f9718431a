"""What stands in for the world, for tests and benches alike: drawn tables, noisy readers, players, devices on a wire."""
