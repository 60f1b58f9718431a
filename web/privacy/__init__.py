"""What each seat may know and do, and what leaves the house."""
