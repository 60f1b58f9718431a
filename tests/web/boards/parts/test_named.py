"""Presenters and advisers that manifests name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import MANIFESTS
from web.boards.parts.named import made

OWN = MANIFESTS["spectrangle"]


def test_what_is_named_is_made() -> None:
    found, said = made([(OWN, "collections:Counter"), (replace(OWN), "")])
    assert found == {"spectrangle": {}} and said == ()


def test_a_look_of_another_package_that_fails_costs_one_sentence() -> None:
    found, said = made([(OWN, "no_such_package.page:Look")])
    assert found == {}
    assert said == (
        "Spectrangle cannot be shown: no_such_package.page:Look fails (No module named 'no_such_package'). "
        "Mend or remove that package.",
    )


def test_a_look_of_this_project_that_fails_is_a_mistake_of_ours() -> None:
    with pytest.raises(AttributeError):
        made([(OWN, "web.games.spectrangle:NoSuchLook")])
