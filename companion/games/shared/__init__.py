"""Parts that several games use."""
