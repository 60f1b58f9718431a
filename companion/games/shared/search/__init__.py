"""Collections and caches that make legal moves fast to list."""
