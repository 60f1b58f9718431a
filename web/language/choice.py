"""Which language a browser is shown: what this device chose on the page, else the configured one, else what the browser
asks for.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, current_app, request

from web.http.answers import NothingThere, json_answer
from web.language.catalog import CATALOGS, Catalog

LANGUAGE_COOKIE = "companion_language"


def chosen() -> Catalog:
    """The language of the present request."""
    kept = request.cookies.get(LANGUAGE_COOKIE, "")
    if kept in CATALOGS:
        return CATALOGS[kept]
    usual: str = current_app.extensions["settings"].language
    return CATALOGS[usual or request.accept_languages.best_match(list(CATALOGS), "en")]


def speak(app: Flask) -> None:
    """Let templates speak the language of each request: `_` translates and names players, `language` is its tag."""

    @app.context_processor
    def words() -> dict[str, object]:
        catalog = chosen()
        return {"_": catalog.with_names, "language": catalog.tag}

    @app.after_request
    def vary(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.vary.update(("Accept-Language", "Cookie"))
        return response


def routes() -> Blueprint:
    """`/language/TAG.json`."""
    blueprint = Blueprint("language", __name__)

    @blueprint.get("/language/<tag>.json")
    def messages(tag: str) -> Response:
        """The catalog of a language: English to translated text."""
        catalog = CATALOGS.get(tag)
        if catalog is None:
            raise NothingThere(f"The page has no such language. Choose one of: {', '.join(CATALOGS)}.")
        return json_answer({"messages": catalog.messages})

    return blueprint
