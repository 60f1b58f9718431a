"""The knowledge and the rights of each seat, and exports."""
