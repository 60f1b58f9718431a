"""The bodies and answers of requests, settings, compression and templates."""
