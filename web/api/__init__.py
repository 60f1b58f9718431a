"""The JSON addresses for the page and for other programs, one file per resource (see docs/http.md)."""
