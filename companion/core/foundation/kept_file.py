"""Decodes files that people write, disks damage or strangers send: JSON, TOML and MessagePack of a known form.

A decoder fails in more ways than its pages say: bytes that are no text, brackets without end, a number of a million
digits. Here all of them become `Spoiled`, so a reader of files has one error to handle; `tests/test_decoders.py` holds
that no other module calls a decoder. Databases have the same in `companion.core.foundation.sqlite_file`.
"""

from __future__ import annotations

import logging
import os
import sys
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.logs import note
from companion.core.printable import one_line


def write_whole(path: Path, data: bytes, *, durable: bool = False, shared: bool = False) -> None:
    """Replaces or creates a file. Only its owner may read it, from its first byte on.

    Args:
        durable: It is on disk when this returns.
        shared: Others may read it too, as the system usually lets them.

    Raises:
        OSError: It cannot be written; the earlier file stands.
    """
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with open(part, "xb", opener=None if shared else _for_owner) as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    part.replace(path)


def name_aside(path: Path) -> Path:
    """The first free name of the row `FILE.aside-1`, `FILE.aside-2`, ... for a file that must make room."""
    number = 1
    while path.with_name(f"{path.name}.aside-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}.aside-{number}")


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


T = TypeVar("T")

MOST_BYTES = 16 * 2**20
"""A larger file is none of ours, unless its reader says another bound."""
_MOST_LETTERS = 200
"""A decoder's own words are cut here: some repeat what they were given."""

_LOG = logging.getLogger("companion.kept")


class Spoiled(ValueError):
    """Bytes that are not what they should be. The text says why in one line, as part of a sentence."""

    def __init__(self, why: object) -> None:
        super().__init__(one_line(str(why))[:_MOST_LETTERS].rstrip("."))


class JsonForm(Generic[T]):
    """One form of JSON, for texts that are decoded by the thousand."""

    def __init__(self, form: type[T]) -> None:
        self._decoder = msgspec.json.Decoder(form)

    def decode(self, data: bytes | str) -> T:
        """The value in a text.

        Raises:
            Spoiled: It is no JSON or not of the form.
        """
        try:
            return self._decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Spoiled(error) from error


def decode_json(data: bytes | str, form: type[T]) -> T:
    """The value in a JSON text.

    Raises:
        Spoiled: It is no JSON or not of the form.
    """
    try:
        return msgspec.json.decode(data, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Spoiled(error) from error


def decode_message_pack(data: bytes, form: type[T]) -> T:
    """The value in bytes of MessagePack.

    Raises:
        Spoiled: They are no MessagePack or not of the form.
    """
    try:
        return msgspec.msgpack.decode(data, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Spoiled(error) from error


def decode_toml(data: bytes) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        Spoiled: It is no TOML.
    """
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Spoiled(error) from error


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The contents of a file; at most `most` bytes and one are read.

    Raises:
        Spoiled: It is larger.
        OSError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except ValueError as error:  # a path with a NUL in it
        raise Spoiled(error) from error
    if len(data) > most:
        raise Spoiled(f"it has more than {most} bytes; at most so many are read")
    return data


def read_given(
    path: Path,
    decode: Callable[[bytes], T],
    refusal: type[CompanionError],
    *,
    called: str,
    no: str,
    advice: str,
    most: int = MOST_BYTES,
) -> T:
    """Reads a file that a person has named.

    Args:
        decode: Makes a value of its bytes, or raises `Spoiled`.
        refusal: The error that is raised if it cannot be read, is larger than `most` bytes, or `decode` refuses it.
        called: Its kind, before its path: "The plan".
        no: The predicate for a wrong file: "is not a table plan".
        advice: The advice, in a sentence.
    """
    try:
        return decode(read_bytes(path, most))
    except OSError as error:
        raise refusal(f"{called} {path} cannot be read ({error.strerror}). {advice}") from error
    except Spoiled as error:
        raise refusal(f"{called} {path} {no}: {error}. {advice}") from error


def read_json(
    path: Path,
    form: type[T],
    refusal: type[CompanionError],
    *,
    called: str,
    no: str,
    advice: str,
    most: int = MOST_BYTES,
) -> T:
    """Reads a JSON file that a person has named; the parameters are those of `read_given`."""
    return read_given(
        path, lambda data: decode_json(data, form), refusal, called=called, no=no, advice=advice, most=most
    )


def read_kept(path: Path, decode: Callable[[bytes], T], most: int = MOST_BYTES) -> T | None:
    """Reads a file of the program's own; None if there is none.

    A damaged file is set aside and named in the log, so that the evening goes on without it and a person may still look
    at it. A file that cannot be opened stays where it is: it may be whole.

    Args:
        decode: Makes a value of its bytes, or raises `Spoiled`.
    """
    try:
        return decode(read_bytes(path, most))
    except FileNotFoundError:
        return None
    except OSError as error:
        note(_LOG, logging.WARNING, "not read", file=path.name, why=error.strerror)
        return None
    except Spoiled as error:
        set_aside(path, str(error))
        return None


def set_aside(path: Path, why: str) -> Path | None:
    """Give a spoiled file another name, beside its own, and say so.

    Returns:
        Where it is now; None if it could not be renamed.
    """
    aside: Path | None = None
    with suppress(OSError):
        aside = path.replace(name_aside(path))
    say_aside(path, aside, why)
    return aside


def say_aside(path: Path, aside: Path | None, why: str) -> None:
    """Say in the terminal and in the log that a spoiled file was set aside, or could not be."""
    note(_LOG, logging.WARNING, "set aside", file=path.name, to=None if aside is None else aside.name, why=why)
    place = "could not be renamed" if aside is None else f"is {aside.name} now"
    with suppress(OSError):  # nobody may read the terminal any more
        sys.stderr.write(
            f"companion: {path} cannot be used ({one_line(why)}). It {place}, and all goes on without it.\n"
        )
