"""A club's hub: a server without a camera that shows the tables of several machines and runs evenings of rounds."""
