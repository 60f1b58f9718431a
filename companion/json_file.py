"""Reads files that people give: JSON of a known form, or a sentence that says what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from companion.errors import UNREADABLE, CompanionError

T = TypeVar("T")


def read_json(
    path: Path,
    form: type[T],
    refusal: type[CompanionError],
    *,
    called: str,
    no: str,
    advice: str,
    most: int | None = None,
) -> T:
    """What a file holds.

    :param refusal: the error that is raised if it is not there, larger than `most` bytes, no JSON, or not of the form.
    :param called: what it should be, before its path: "The plan".
    :param no: how it is said that it is none: "is not a table plan".
    :param advice: what to do then.
    """
    try:
        size = path.stat().st_size
        if most is not None and size > most:
            raise refusal(f"{called} {path} has {size} bytes, and at most {most} are read. {advice}")
        data = path.read_bytes()
    except OSError as error:
        raise refusal(f"{called} {path} cannot be read ({error.strerror}). {advice}") from error
    try:
        return msgspec.json.decode(data, type=form)
    except UNREADABLE as error:
        raise refusal(f"{called} {path} {no}: {error}. {advice}") from error
