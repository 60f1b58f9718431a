"""Addresses print without their secrets, and paths as they are."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from companion.app.commands.options import journal_place
from companion.core.foundation.secrecy import HIDDEN, SecretAddress

LIKE_PATHS = (
    "/hush(:+hush@127.0.0.1:99999/live@main",
    "/hush:hush@cam/live",
    "./hush:hush@cam",
    "~/a:hush@127.0.0.1",
    "C:\\hush:hush@cam",
    "/hush@127.0.0.1:99999/",
)
"""Addresses without a scheme whose user or password makes them begin like a path."""
PATHS = (
    "/srv/games",
    "ftp/games.sqlite",
    "/srv/photos@home/1.png",
    "./a:b",
    "~/films",
    "C:\\films\\a@b",
    "/dev/v4l/by-id/usb-a:b-index0",
)


@pytest.mark.parametrize("text", LIKE_PATHS)
def test_an_address_that_begins_like_a_path_prints_without_its_secret(text: str) -> None:
    assert str(SecretAddress(text)) == HIDDEN


@pytest.mark.parametrize("text", LIKE_PATHS)
def test_an_address_that_begins_like_a_path_is_no_journal_and_is_not_repeated(text: str) -> None:
    with pytest.raises(click.BadParameter, match="not a place for a journal") as refused:
        journal_place(text)
    assert "hush" not in refused.value.format_message()


@pytest.mark.parametrize("text", ["ftp//cam/hush", "ftp:cam/hush", "WS://cam/hush", "rtmp:hush", "smb//hush"])
def test_an_address_of_another_scheme_without_its_signs_is_none_of_a_journal(text: str) -> None:
    assert "hush" not in str(SecretAddress(text))
    with pytest.raises(click.BadParameter, match="not a place for a journal"):
        journal_place(text)


@pytest.mark.parametrize("text", PATHS)
def test_a_path_prints_as_it_is(text: str) -> None:
    assert str(SecretAddress(text)) == text
    assert journal_place(text) == Path(text)
