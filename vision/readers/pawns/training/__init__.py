"""How the weights of the pawn reader are made from labeled pictures."""
