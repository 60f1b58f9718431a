"""Creates the objects that manifests name as "module:Class", such as presenters and advisers, also those of other
packages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pkgutil import resolve_name
from typing import TypeVar

from companion.core.manifest import Manifest

T = TypeVar("T")


class NamedParts(Mapping[str, T]):
    """The objects of the named classes by game; all are created when the first one is requested.

    An error in a game of this project is raised. A game of another package that fails is left out.
    """

    def __init__(self, manifests: Iterable[Manifest], named: Callable[[Manifest], str]) -> None:
        """Takes the manifests and `named`, which returns a manifest's "module:Class", or "" for none."""
        self._manifests, self._named = tuple(manifests), named

    def __getitem__(self, game: str) -> T:
        return self._made[0][game]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made[0])

    def __len__(self) -> int:
        return len(self._made[0])

    @property
    def left_out(self) -> tuple[str, ...]:
        """A sentence for each game of another package that cannot be shown."""
        return self._made[1]

    @cached_property
    def _made(self) -> tuple[dict[str, T], tuple[str, ...]]:
        found: dict[str, T] = {}
        said: list[str] = []
        for manifest in self._manifests:
            if not (name := self._named(manifest)):
                continue
            try:
                found[manifest.game.name] = resolve_name(name)()
            except Exception as error:  # the code of another package may raise anything
                if name.startswith("web."):
                    raise
                what = " ".join(str(error).split()) or type(error).__name__
                said.append(
                    f"{manifest.game.title} cannot be shown: {name} fails ({what}). Fix or remove that package."
                )
        return found, tuple(said)
