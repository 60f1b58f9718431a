"""Errors, files that are read and written safely, secrets and logs: what every module may use."""
