"""Eyes: cameras, markers and pose, light, steadiness, and one reader for each kind of piece."""
