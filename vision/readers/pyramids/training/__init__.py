"""Training of the net: drawn pictures, labeled ones, and the fitting itself."""
