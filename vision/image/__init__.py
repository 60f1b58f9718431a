"""Pictures, poses and planes: the geometry and the light that every reader uses."""
