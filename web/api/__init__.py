"""What the page and other programs ask for in JSON; one file a resource. Documented in docs/http.md."""
