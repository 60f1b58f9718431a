"""Training of the net: drawn pictures, labelled ones, and the fitting itself."""
