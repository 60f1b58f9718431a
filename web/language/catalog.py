"""Texts of the page in another language, from gettext catalogs (`de.po` beside this file).

A message may hold parameters in braces: "{who} to move". One with a name of one letter stands for one word, such as the
number in "row {r}"; one that begins with "who" for somebody's name, which stays as it is; the others for any part of
one sentence, or none, which is looked up in its turn: as a whole, else by its known words. Texts of the page come from
many places, also from games that know no page, so a text is looked up as it stands: first the whole of it, then as a
message with parameters, then sentence by sentence. Other texts are shown in English. `static/js/lib/language.js` does
the same in the browser, with the same catalog.
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
from flask import Blueprint, Flask, Response, current_app, request

from companion.core.foundation.logs import note
from companion.core.manifest import Manifest
from companion.games import MANIFESTS
from companion.referee.telling import with_names
from web.http.answers import NothingThere, json_answer
from web.http.bundles import ASK_AGAIN, FOR_GOOD

_GAP = re.compile(r"\{([a-z]\w*)\}")
_CUTS = (re.compile(r"(?<=[.?]) "), re.compile(r"(?<=[:;,]) "))
"""Where a text that is not known as a whole is cut: between sentences, then within one."""
_SIGNS = ".:;,?"
"""The signs that may follow a known text."""
_LINKS = ("; ", ", ", " and ", " or ", " + ")
"""The separators of a list."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SEATED = re.compile(r"[Pp]layer \d+")
_FIRST_SIGN = 0xE000
_LITTLE = 16
"""A message of no more letters says little."""
_REMEMBERED = 4096
_LOG = logging.getLogger("companion.language")


class Catalog:
    """The messages of one language."""

    def __init__(self, tag: str, messages: Mapping[str, str]) -> None:
        """
        Args:
            tag: Of the language, as in `lang=`.
            messages: English to translated text, both with the same parameters.
        """
        self.tag = tag
        self.messages = dict(messages)
        self.digest = sha256(repr(sorted(self.messages.items())).encode()).hexdigest()[:16]
        """Names these messages, so that browsers may keep them."""
        open_ = sorted((text for text in messages if _GAP.search(text)), key=_said, reverse=True)
        self._open = [(tuple(word for word in _GAP.split(text)[::2] if word), text) for text in open_]
        self.translate = lru_cache(_REMEMBERED)(self._translate)

    def _translate(self, text: str) -> str:
        """A text in this language, as far as the catalog holds it; spaces around it stay."""
        if text in self.messages:  # a word between names may have its spaces with it
            return self.messages[text]
        bare = text.strip()
        if not bare:
            return text
        return text.replace(bare, self._cut(" ".join(bare.split()), 0), 1)

    def with_names(self, text: str, names: Sequence[str] = ()) -> str:
        """A text in this language, with the names of those who play in the place of "player 1".

        A sign of no language stands for a name until the text is translated: so no name is ever taken for a word.
        """
        signs = [chr(_FIRST_SIGN + seat) for seat in range(len(names))]
        found = self.translate(with_names(text, signs))
        return found.translate({_FIRST_SIGN + seat: name for seat, name in enumerate(names)})

    def _cut(self, text: str, depth: int) -> str:
        """The translation of a text, with or without the sign behind it; else the translations of its parts."""
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
        """Several words of which each is known, such as "red large"; None if one is not."""
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
        """The translation of a parameter: a name as it is; else a known text, else those of a list or of several words
        each.
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
    """A text and the sign behind it; no sign if there is none, or nothing else."""
    return (text[:-1], text[-1]) if len(text) > 1 and text[-1] in _SIGNS else (text, "")


def _said(text: str) -> int:
    """The number of letters of a message outside of parameters: the message with the most is tried first."""
    return len(_GAP.sub("", text))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    parts = _GAP.split(text)
    # A message that says little must not swallow what others say better: it keeps to one clause.
    gap = {True: r"[^\s,]+", False: r"(?:(?![.?] ).)*?" if _said(text) > _LITTLE else r"(?:(?![.?:;] ).)*?"}
    return re.compile(
        "".join(f"(?P<{part}>{gap[len(part) == 1]})" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    )


def read_catalogs(manifests: Iterable[Manifest]) -> dict[str, Catalog]:
    """By tag: English, in which every text is written, and the languages of the page.

    Games of other packages bring texts of their own; the page's own translation of a text comes first. A catalog that
    cannot be read is left out, and the game is shown in English.
    """
    messages = {"de": _messages(Path(__file__).with_name("de.po"), "de")}
    for manifest in manifests:
        for tag, path in manifest.texts.items():
            try:
                brought = _messages(path, tag)
            except Exception as error:  # whatever is wrong with another package's file stays there
                note(_LOG, logging.WARNING, "texts not read", game=manifest.game.name, language=tag, why=str(error))
                continue
            messages[tag] = {**brought, **messages.get(tag, {})}
    return {"en": Catalog("en", {}), **{tag: Catalog(tag, found) for tag, found in messages.items()}}


def _messages(path: Traversable, tag: str) -> dict[str, str]:
    with path.open("rb") as file:
        found = read_po(file, locale=tag, abort_invalid=True)
    return {str(one.id): str(one.string) for one in found if one.id and one.string}


CATALOGS: dict[str, Catalog] = read_catalogs(MANIFESTS.values())


# Which language a browser is shown: what this device chose on the page, else the configured one, else what the browser
# asks for.

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
        return {"_": catalog.with_names, "language": catalog.tag, "words_hash": catalog.digest}

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
        response = json_answer({"messages": catalog.messages})
        response.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") == catalog.digest else ASK_AGAIN
        return response

    return blueprint
