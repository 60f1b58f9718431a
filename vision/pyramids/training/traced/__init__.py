"""Pictures with real paths of light, traced by Blender, for both nets to learn from."""
