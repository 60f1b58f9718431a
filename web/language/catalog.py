"""Texts of the page in another language, from gettext catalogs (`de.po` beside this file).

A message may have parameters in braces: "{who} to move". A parameter with a name of one letter stands for one word,
such as the number in "row {r}". A parameter whose name begins with "who" stands for a person's name, which is not
translated. Any other parameter stands for any part of one sentence, or nothing, and is looked up in its turn: as a
whole, or by its known words. Texts of the page come from many places, also from games that know no page, so a text is
looked up as it is: first the whole text, then as a message with parameters, then sentence by sentence. Unknown texts
are shown in English. `static/js/lib/language.js` does the same in the browser, with the same catalog.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path

from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol
from flask import Blueprint, Flask, Response, current_app, request

from companion.core.foundation.logs import note
from companion.core.manifest import Manifest
from companion.games import MANIFESTS
from companion.referee.telling import with_names
from web.http.answers import NothingThere, json_answer
from web.http.bundles import ASK_AGAIN, FOR_GOOD

_GAP = re.compile(r"\{([a-z]\w*)\}")
_CUTS = (re.compile(r"(?<=[.?]) "), re.compile(r"(?<=[:;,]) "))
"""The places where an unknown text is cut: between sentences, then within a sentence."""
_SIGNS = ".:;,?"
"""The punctuation marks that may follow a known text."""
_LINKS = ("; ", ", ", " and ", " or ", " + ")
"""The separators of a list."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SEATED = re.compile(r"[Pp]layer \d+")
_FIRST_SIGN = 0xE000
_LITTLE = 16
"""The number of letters up to which a message counts as short, so that it may match only within one clause."""
_REMEMBERED = 4096
_LOG = logging.getLogger("companion.language")


class Catalog:
    """The messages of one language."""

    def __init__(self, tag: str, messages: Mapping[str, str]) -> None:
        """
        Args:
            tag: The tag of the language, as in `lang=`.
            messages: The translation of each English text, with the same parameters.
        """
        self.tag = tag
        self.messages = dict(messages)
        self.digest = sha256(repr(sorted(self.messages.items())).encode()).hexdigest()[:16]
        """A hash of these messages, so that browsers may cache them."""
        open_ = sorted((text for text in messages if _GAP.search(text)), key=_said, reverse=True)
        self._open = [(tuple(word for word in _GAP.split(text)[::2] if word), text) for text in open_]
        self.translate = lru_cache(_REMEMBERED)(self._translate)

    def _translate(self, text: str) -> str:
        """Returns a text in this language, as far as the catalog knows it; surrounding spaces stay."""
        if text in self.messages:  # a word between names may include its spaces
            return self.messages[text]
        bare = text.strip()
        if not bare:
            return text
        return text.replace(bare, self._cut(" ".join(bare.split()), 0), 1)

    def number(self, value: float | None, decimals: int | None = None) -> str:
        """Returns a number as this language writes it; None becomes a dash.

        Args:
            decimals: The number of digits after the decimal mark; by default as many as are needed.
        """
        if value is None:
            return "–"
        text = f"{value:.10g}" if decimals is None else f"{value:.{decimals}f}"
        return text.replace("-", "\u2212").replace(".", get_decimal_symbol(self.tag))

    def with_names(self, text: str, names: Sequence[str] = ()) -> str:
        """Returns a text in this language, with the players' names in place of "player 1".

        While the text is translated, a sign that no language uses stands for each name, so that no name is mistaken for
        a word.
        """
        signs = [chr(_FIRST_SIGN + seat) for seat in range(len(names))]
        found = self.translate(with_names(text, signs))
        return found.translate({_FIRST_SIGN + seat: name for seat, name in enumerate(names)})

    def _cut(self, text: str, depth: int) -> str:
        """Returns the translation of a text, with or without the punctuation mark behind it; otherwise those of its
        parts.
        """
        last = depth == len(_CUTS)
        found = self._found(text)
        if found is None:
            bare, sign = _parted(text)
            known = self._found(bare) if sign else None
            if known is None and last:
                known = self._words(bare)
            found = None if known is None else known + sign
        if found is not None or last:
            return text if found is None else found
        return " ".join(self._cut(part, depth + 1) for part in _CUTS[depth].split(text) if part)

    def _words(self, text: str) -> str | None:
        """Returns the translation of several words, such as "red large"; None if one of them is unknown."""
        words = [self._found(word) if _LETTERS.search(word) else word for word in text.split()]
        return " ".join(map(str, words)) if len(words) > 1 and None not in words else None

    def _found(self, text: str) -> str | None:
        found = self._message(text)
        if found is None and text[:1].isupper():
            found = self._message(text[0].lower() + text[1:])
            return None if found is None else found[:1].upper() + found[1:]
        return found

    def _message(self, text: str) -> str | None:
        whole = self.messages.get(text)
        if whole is not None:
            return whole
        bare, sign = _parted(text)
        if sign and bare in self.messages:
            return self.messages[bare] + sign
        for words, form in self._open:
            match = _pattern(form).fullmatch(text) if all(word in text for word in words) else None
            if match is not None:
                gaps = {name: self._in_gap(name, value) for name, value in match.groupdict().items()}
                return _GAP.sub(lambda gap, gaps=gaps: gaps[gap[1]], self.messages[form])  # type: ignore[misc]
        return None

    def _in_gap(self, name: str, text: str) -> str:
        """Returns the translation of a parameter. A name is not translated; any other text is looked up as a whole, as
        a list, or word by word.
        """
        if name.startswith("who") and not _SEATED.fullmatch(text):
            return text
        bare = text.lstrip()
        if bare != text:
            return text[: len(text) - len(bare)] + self._in_gap("", bare)
        known = self._found(text)
        if known is not None or not text:
            return known or text
        bare, sign = _parted(text)
        if sign:
            return self._in_gap(name, bare) + sign
        link = next((one for one in _LINKS if one in text), None)
        if link is None:
            return self._words(text) or text
        return self.messages.get(link, link).join(self._in_gap("", part) for part in text.split(link))


def _parted(text: str) -> tuple[str, str]:
    """Returns a text and the punctuation mark behind it; the mark is empty if there is none or no text before it."""
    return (text[:-1], text[-1]) if len(text) > 1 and text[-1] in _SIGNS else (text, "")


def _said(text: str) -> int:
    """Returns the number of letters of a message outside of parameters; the message with the most is tried first."""
    return len(_GAP.sub("", text))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    parts = _GAP.split(text)
    # A short message must not match where a longer one would match better, so its parameters stay within one clause.
    gap = {True: r"[^\s,]+", False: r"(?:(?![.?] ).)*?" if _said(text) > _LITTLE else r"(?:(?![.?:;] ).)*?"}
    return re.compile(
        "".join(f"(?P<{part}>{gap[len(part) == 1]})" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    )


def read_catalogs(manifests: Iterable[Manifest]) -> dict[str, Catalog]:
    """Returns the catalogs by language tag: English, in which every text is written, and the languages of the page.

    Games of other packages may bring texts of their own; the page's own translation of a text has priority. A catalog
    that cannot be read is left out, and the game is shown in English.
    """
    messages = {"de": _messages(Path(__file__).with_name("de.po"), "de")}
    for manifest in manifests:
        for tag, path in manifest.texts.items():
            try:
                brought = _messages(path, tag)
            except Exception as error:  # another package's file may raise anything
                note(_LOG, logging.WARNING, "texts not read", game=manifest.game.name, language=tag, why=str(error))
                continue
            messages[tag] = {**brought, **messages.get(tag, {})}
    return {"en": Catalog("en", {}), **{tag: Catalog(tag, found) for tag, found in messages.items()}}


def _messages(path: Traversable, tag: str) -> dict[str, str]:
    with path.open("rb") as file:
        found = read_po(file, locale=tag, abort_invalid=True)
    return {str(one.id): str(one.string) for one in found if one.id and one.string}


CATALOGS: dict[str, Catalog] = read_catalogs(MANIFESTS.values())


# The language of a browser is the one that was chosen on the page, else the configured one, else the one that the
# browser requests.

LANGUAGE_COOKIE = "companion_language"


def chosen() -> Catalog:
    """Returns the catalog for the present request."""
    kept = request.cookies.get(LANGUAGE_COOKIE, "")
    if kept in CATALOGS:
        return CATALOGS[kept]
    usual: str = current_app.extensions["settings"].language
    return CATALOGS[usual or request.accept_languages.best_match(list(CATALOGS), "en")]


def speak(app: Flask) -> None:
    """Installs the language of each request in templates: `_` translates and names players, `number` writes a number,
    `language` is the tag.
    """

    @app.context_processor
    def words() -> dict[str, object]:
        catalog = chosen()
        return {
            "_": catalog.with_names,
            "number": catalog.number,
            "language": catalog.tag,
            "words_hash": catalog.digest,
        }

    @app.after_request
    def vary(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.vary.update(("Accept-Language", "Cookie"))
        return response


def routes() -> Blueprint:
    """Returns the route `/language/TAG.json`."""
    blueprint = Blueprint("language", __name__)

    @blueprint.get("/language/<tag>.json")
    def messages(tag: str) -> Response:
        """Returns the catalog of a language: the translation of each English text."""
        catalog = CATALOGS.get(tag)
        if catalog is None:
            raise NothingThere(f"The page has no such language. Choose one of: {', '.join(CATALOGS)}.")
        response = json_answer({"messages": catalog.messages})
        response.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") == catalog.digest else ASK_AGAIN
        return response

    return blueprint
