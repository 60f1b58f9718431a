"""The objects that manifests name by "module:Class", made once: presenters and advisers of games, also of other
packages.
"""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import resolve_name
from typing import Any

from companion.core.manifest import Manifest


def made(named: Iterable[tuple[Manifest, str]]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Game name to an object of the named class, and a sentence for each that cannot be made.

    A game of this project that cannot be shown is a mistake of ours, and raises; one of another package stays behind.

    Args:
        named: Manifests with "module:Class", or "" for none.
    """
    found, said = {}, []
    for manifest, name in named:
        if not name:
            continue
        try:
            found[manifest.game.name] = resolve_name(name)()
        except Exception as error:  # whatever another package's code does wrong stays there
            if name.startswith("web."):
                raise
            what = " ".join(str(error).split()) or type(error).__name__
            said.append(f"{manifest.game.title} cannot be shown: {name} fails ({what}). Mend or remove that package.")
    return found, tuple(said)
