"""Presenters and advisers that manifests name."""

from __future__ import annotations

import pytest

from companion.games import MANIFESTS
from web.boards.parts.named import NamedParts

OWN = MANIFESTS["spectrangle"]


def test_what_is_named_is_made() -> None:
    parts = NamedParts([OWN, MANIFESTS["spectra"]], lambda one: "collections:Counter" if one is OWN else "")
    assert dict(parts) == {"spectrangle": {}} and parts.left_out == ()


def test_a_look_of_another_package_that_fails_costs_one_sentence() -> None:
    parts = NamedParts([OWN], lambda _: "no_such_package.page:Look")
    assert dict(parts) == {}
    assert parts.left_out == (
        "Spectrangle cannot be shown: no_such_package.page:Look fails (No module named 'no_such_package'). "
        "Fix or remove that package.",
    )


def test_a_look_of_this_project_that_fails_is_a_mistake_of_ours() -> None:
    with pytest.raises(AttributeError):
        dict(NamedParts([OWN], lambda _: "web.games.spectrangle:NoSuchLook"))
