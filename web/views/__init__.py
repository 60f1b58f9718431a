"""The JSON and the pictures of a table as one seat may see it."""
