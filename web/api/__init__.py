"""The JSON addresses for the page and other programs; one file a resource. Documented in docs/http.md."""
