"""The pages, the stream of events, and the pictures of the camera."""
