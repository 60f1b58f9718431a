"""Printed sheets: what a printer makes of a PDF of this project, and how its parts look on a drawn table."""
