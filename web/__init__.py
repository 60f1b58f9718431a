"""The web page: Flask application, live updates, templates, static files."""
