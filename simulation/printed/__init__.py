"""Prints the PDFs of this project as pixels, and lays the printed parts on drawn tables."""
