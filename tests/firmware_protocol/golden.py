"""The golden vectors: frozen bytes that every implementation has to agree with."""

from __future__ import annotations

import json
from typing import Any

from firmware_protocol.table import ROOM

VECTORS: dict[str, list[dict[str, Any]]] = json.loads((ROOM / "vectors.json").read_text())


def named(group: str) -> list[Any]:
    """The vectors of a group, as parameters that bear their names."""
    import pytest

    return [pytest.param(vector, id=vector.get("name") or vector["message"]) for vector in VECTORS[group]]
