"""The wire format between the companion and its devices."""
