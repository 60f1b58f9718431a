"""A table that was shown empty once: what is kept of it, and what differs from it in a later picture."""
