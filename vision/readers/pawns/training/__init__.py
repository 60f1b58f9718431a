"""Makes the weights of the pawn reader from labeled pictures."""
