"""The common form of answers to errors, and the common way to read the body of a request.

An error is answered by `{"error": sentence}` with the status of its class; a refused move adds `rule` and `breaches`. A
sentence of `companion.core.foundation.errors` is shown unchanged; input from a browser is repeated only in JSON or in
the escaping templates.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.core.foundation.errors import CompanionError, IllegalMove
from companion.core.foundation.kept_file import Spoiled, decode_json

T = TypeVar("T", bound=msgspec.Struct)

_SENTENCES = {
    400: "The request cannot be read. Reload the page and try again.",
    404: "There is nothing at this address. Go back to the table.",
    405: "This address cannot be used that way. Reload the page and try again.",
    413: "The request is too large. The limit is 256 KiB.",
    414: "The address is too long. Reload the page and try again.",
    416: "That part of the file does not exist. Reload the page and try again.",
    431: "The request's headers are too large. Delete this site's cookies and try again.",
    500: "The page met an internal error. The table's record is unharmed; the log has the details.",
    503: "Too many screens are connected. Close one, or try again in a few seconds.",
}


class TryLater(CompanionError, status=503):
    """An error: the request may be repeated after `wait_s` whole seconds."""

    def __init__(self, sentence: str, wait_s: int) -> None:
        self.wait_s = wait_s
        super().__init__(sentence)


class BadBody(CompanionError, status=400):
    """An error: a body or a query does not have the documented form."""


class NothingThere(CompanionError, status=404):
    """An error: a game, row, rule or picture does not exist."""


class NoTableYet(CompanionError, status=409):
    """An error: a request about the game came before one was started."""

    def __init__(self) -> None:
        super().__init__("No game is on the table yet. Set one up first.")


def json_answer(data: Any, status: int = 200) -> Response:
    """Returns an answer in JSON."""
    return Response(msgspec.json.encode(data), status, mimetype="application/json")


def body(type_: type[T]) -> T:
    """Returns the request's body as a checked value of `type_`.

    Raises:
        BadBody: The body is not JSON, too deep, or does not fit `type_`.
    """
    try:
        return decode_json(request.get_data(cache=False), type_)
    except Spoiled as error:
        said = str(error).replace("`", "")
        raise BadBody(f"The request's body does not fit: {said}. See docs/http.md.") from error


def number(name: str, default: int | None = None) -> int:
    """Returns an integer from the query.

    Raises:
        BadBody: The value is missing without a default, or is not an integer.
    """
    text = request.args.get(name)
    if text is None and default is not None:
        return default
    try:
        return msgspec.convert(text, int, strict=False)
    except msgspec.ValidationError as error:
        raise BadBody(f"{name} must be a whole number.") from error


def word(name: str, default: str = "", *, longest: int = 200) -> str:
    """Returns a short text from the query.

    Raises:
        BadBody: The text is too long.
    """
    text = request.args.get(name, default)
    if len(text) > longest:
        raise BadBody(f"{name} is longer than {longest} letters.")
    return text


def error_data(error: CompanionError) -> dict[str, Any]:
    """Returns the JSON form of an error."""
    data: dict[str, Any] = {"error": str(error)}
    if isinstance(error, IllegalMove):
        data["rule"] = error.breaches[0].rule
        data["breaches"] = msgspec.to_builtins(error.breaches)
    return data


def wants_json(path: str) -> bool:
    """True if an address is for programs and not for people; its errors are then JSON, too."""
    return path.startswith(("/api/", "/stream", "/camera/", "/healthz", "/metrics"))


def answer_errors(app: Flask) -> None:
    """Installs the answers to every error of `app`."""

    @app.errorhandler(CompanionError)
    def refused(error: CompanionError) -> Response:
        response = _answer(error_data(error), error.status)
        if isinstance(error, TryLater):
            response.headers["Retry-After"] = str(error.wait_s)
        return response

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> Response:
        status = error.code or 500
        if status < 400:
            return Response(error.get_response().get_data(), status, dict(error.get_headers()))
        response = _answer({"error": _SENTENCES.get(status, _SENTENCES[400 if status < 500 else 500])}, status)
        allowed = getattr(error, "valid_methods", None)
        if allowed:
            response.headers["Allow"] = ", ".join(sorted(allowed))
        return response


def _answer(data: dict[str, Any], status: int) -> Response:
    if wants_json(request.path):
        return json_answer(data, status)
    return Response(render_template("error.html", status=status, error=data["error"]), status, mimetype="text/html")
