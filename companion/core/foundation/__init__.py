"""Errors, safe reading and writing of files, secrets and logs: the modules that every other module may import."""
