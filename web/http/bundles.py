"""Joins the modules and the style sheets of a page, each kind in one file that browsers keep forever.

A page of forty small modules would cost a phone forty requests. So the server joins them when the first page is
requested; the address contains a hash of the joined text. There is no build step: the files of `web/static` are edited
directly, and each of them can still be requested alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from flask import Flask, Response, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from web.http.answers import NothingThere

STATIC = Path(__file__).parents[1] / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
FOLDER = "bundle/"
PANELS = "games/"
"""The folder of panels; the page imports a panel by an address that it receives while it runs."""

JOINED_MOST, HASHES_MOST = 64, 512
"""The largest numbers of joined files and of hashes that are remembered, because anybody may request any
combination."""
PARTS_MOST = 12
"""The largest number of files of one kind in one bundle; every page has fewer."""

_IMPORT = re.compile(r'^import (?:(?P<names>\{[^}]*\}) from )?"(?P<path>\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (\w+))", re.MULTILINE)
_NAME = re.compile(r"^export (?:const|class|async function|function) (\w+)", re.MULTILINE)
_IMPORTED_LATER = "await import("
_NAMES = re.compile(r"[a-z0-9][a-z0-9/+-]*\.(?:js|css)")


class UnknownForm(ValueError):
    """An error: a module has a form that cannot be joined, which is a mistake of its author."""


@lru_cache(maxsize=JOINED_MOST)
def joined(name: str) -> tuple[str, str]:
    """Returns the contents of `bundle/NAME`, and their hash.

    Args:
        name: The names of files of one kind without their endings, joined by plus signs: "table+games/spectrum.js".

    Raises:
        KeyError: There is no such file, or the name repeats a file or joins too many.
    """
    stems, _, kind = name.rpartition(".")
    parts = stems.split("+")
    if len(parts) > PARTS_MOST or len(set(parts)) < len(parts):
        raise KeyError(name)
    text = _styles(parts) if kind == "css" else _modules(parts)
    return text, _hash(text.encode())


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


@cache
def _files(kind: str) -> dict[str, Path]:
    root = STATIC / kind
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in root.rglob(f"*.{kind}")}


def _styles(names: list[str]) -> str:
    return "\n".join(_files("css")[name].read_text() for name in names)


def _modules(names: list[str]) -> str:
    """Returns the modules and everything that they import, each in a scope of its own, imported modules first."""
    order: dict[str, str] = {}
    for name in names:
        _visit(name, order)
    numbers = {name: f"$m{number}" for number, name in enumerate(order)}
    parts = ["let $panel = null;", "const $later = async (address) => $panel ?? import(address);"]
    for name, text in order.items():
        exported = ", ".join(_NAME.findall(text))
        body = _IMPORT.sub(lambda match, name=name: _constants(match, name, numbers), text)  # type: ignore[misc]
        body = _EXPORT.sub("", body).replace(_IMPORTED_LATER, "await $later(")
        if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
            raise UnknownForm(f"{name}.js imports or exports in a form that cannot be joined.")
        parts.append(f"const {numbers[name]} = await (async () => {{\n{body}\nreturn {{ {exported} }};\n}})();")
        if name.startswith(PANELS) and name in names:
            parts.append(f"$panel = {numbers[name]};")
    return "\n".join(parts)


def _visit(name: str, order: dict[str, str]) -> None:
    if name in order:
        return
    text = _files("js")[name].read_text()
    for match in _IMPORT.finditer(text):
        _visit(_target(name, match["path"]), order)
    order[name] = text


def _target(name: str, path: str) -> str:
    """Returns the name of a module that another one imports by a relative path."""
    parts: list[str] = []
    for part in (*PurePosixPath(name).parent.parts, *path.removesuffix(".js").split("/")):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _constants(match: re.Match[str], name: str, numbers: dict[str, str]) -> str:
    names = match["names"]
    return "" if names is None else f"const {names.replace(' as ', ': ')} = {numbers[_target(name, match['path'])]};"


def serve_bundles(app: Flask) -> None:
    """Serves the files of `web/static`, alone and joined, and lets templates name them by their hashes."""
    alone: Callable[..., Any] = app.view_functions["static"]

    def static(filename: str) -> BaseResponse:
        """Serves a file of the page; if the address has the hash of its content, the browser keeps it forever."""
        if filename.startswith(FOLDER):
            name = filename.removeprefix(FOLDER)
            try:
                if not _NAMES.fullmatch(name):
                    raise KeyError(name)
                text, known = joined(name)
            except KeyError as error:
                raise NothingThere("There is no such file. Reload the page.") from error
            type_ = "text/css" if name.endswith("css") else "text/javascript"
            response: BaseResponse = Response(text, content_type=f"{type_}; charset=utf-8")
            response.set_etag(known)
            response.make_conditional(request.environ)
        else:
            response, known = alone(filename=filename), hash_of(filename)
        response.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") == known else ASK_AGAIN
        return response

    app.view_functions["static"] = static

    @app.url_defaults
    def name_by_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "v" not in values:
            name = str(values["filename"])
            values["v"] = joined(name.removeprefix(FOLDER))[1] if name.startswith(FOLDER) else hash_of(name)

    def script(*names: str) -> Markup:
        """Returns the tag of a page's modules, including those that every page needs."""
        address = url_for("static", filename=f"{FOLDER}{'+'.join(dict.fromkeys(('language', *names)))}.js")
        return Markup('<script type="module" src="{}"></script>').format(address)

    def style(*names: str) -> Markup:
        """Returns the tag of a page's style sheets."""
        address = url_for("static", filename=f"{FOLDER}{'+'.join(names)}.css")
        return Markup('<link rel="stylesheet" href="{}">').format(address)

    app.jinja_env.globals.update(script=script, style=style)


@lru_cache(maxsize=HASHES_MOST)
def hash_of(filename: str) -> str:
    """Returns the hash of one file; empty if there is none."""
    path = STATIC / filename
    return _hash(path.read_bytes()) if path.is_file() and ".." not in filename else ""
