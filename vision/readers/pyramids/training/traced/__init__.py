"""Pictures with real paths of light, traced by Blender, for all nets to learn from."""
