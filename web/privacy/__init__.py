"""The knowledge and rights of each seat, and exports."""
