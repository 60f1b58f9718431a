"""The web page: the Flask application, live updates, templates and static files."""
