"""Decodes JSON, TOML and MessagePack of a known form from files that may be damaged or hostile.

A decoder can fail in more ways than its documentation says: bytes that are no text, brackets without end, a number of a
million digits. Here all of them become `Spoiled`, so callers handle one error; `tests/test_decoders.py` checks that no
other module calls a decoder. `companion.core.foundation.sqlite_file` does the same for databases.
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
        durable: True to return only when the data is on disk.
        shared: Others may read it too, as the system usually lets them.

    Raises:
        OSError: The file cannot be written; the earlier file is unchanged.
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
    """Returns the first unused name among `FILE.aside-1`, `FILE.aside-2`, ... for a file that must be moved away."""
    number = 1
    while path.with_name(f"{path.name}.aside-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}.aside-{number}")


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


T = TypeVar("T")

MOST_BYTES = 16 * 2**20
"""The default size limit of a file, in bytes; larger files are refused."""
_MOST_LETTERS = 200
"""The number of characters of a decoder's message that are kept, because some messages repeat their whole input."""

_LOG = logging.getLogger("companion.kept")


class Spoiled(ValueError):
    """Bytes that are not in the expected form. The message gives the reason in one line, as part of a sentence."""

    def __init__(self, why: object) -> None:
        super().__init__(one_line(str(why))[:_MOST_LETTERS].rstrip("."))


class JsonForm(Generic[T]):
    """A JSON decoder for one type, for callers that decode thousands of texts."""

    def __init__(self, form: type[T]) -> None:
        self._decoder = msgspec.json.Decoder(form)

    def decode(self, data: bytes | str) -> T:
        """Returns the value that a text encodes.

        Raises:
            Spoiled: The text is not JSON, or not of this type.
        """
        try:
            return self._decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Spoiled(error) from error


def decode_json(data: bytes | str, form: type[T]) -> T:
    """Returns the value that a JSON text encodes.

    Raises:
        Spoiled: The text is not JSON, or not of this type.
    """
    try:
        return msgspec.json.decode(data, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Spoiled(error) from error


def decode_message_pack(data: bytes, form: type[T]) -> T:
    """Returns the value that MessagePack bytes encode.

    Raises:
        Spoiled: The bytes are not MessagePack, or not of this type.
    """
    try:
        return msgspec.msgpack.decode(data, type=form)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Spoiled(error) from error


def decode_toml(data: bytes) -> dict[str, Any]:
    """Returns the tables of a TOML text.

    Raises:
        Spoiled: The text is not TOML.
    """
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Spoiled(error) from error


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Returns the contents of a file. It reads at most `most` + 1 bytes.

    Raises:
        Spoiled: The file is larger than `most` bytes.
        OSError: The file cannot be read.
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
        decode: Turns the bytes into a value, or raises `Spoiled`.
        refusal: The error that is raised if it cannot be read, is larger than `most` bytes, or `decode` refuses it.
        called: The words before the path in a message: "The plan".
        no: The predicate for a wrong file: "is not a table plan".
        advice: A sentence that says what to do.
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
    """Reads one of the program's own files; None if it does not exist or cannot be used.

    A damaged file is set aside and named in the log, so that the evening goes on without it and a person can still
    examine it. A file that cannot be opened stays where it is, because it may be intact.

    Args:
        decode: Turns the bytes into a value, or raises `Spoiled`.
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
    """Renames a spoiled file within its folder and reports this.

    Returns:
        The new path; None if it could not be renamed.
    """
    aside: Path | None = None
    with suppress(OSError):
        aside = path.replace(name_aside(path))
    say_aside(path, aside, why)
    return aside


def say_aside(path: Path, aside: Path | None, why: str) -> None:
    """Reports in the terminal and in the log that a spoiled file was set aside, or could not be."""
    note(_LOG, logging.WARNING, "set aside", file=path.name, to=None if aside is None else aside.name, why=why)
    place = "could not be renamed" if aside is None else f"is {aside.name} now"
    with suppress(OSError):  # the terminal may be closed
        sys.stderr.write(
            f"companion: {path} cannot be used ({one_line(why)}). It {place}, and all goes on without it.\n"
        )
