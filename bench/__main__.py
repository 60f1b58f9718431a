"""Run the benches that are named, or all: `python -m bench [NAME...]`. Exit status 1 if a figure misses its mark."""

from __future__ import annotations

import pkgutil
import platform
import sys
from importlib import import_module
from pathlib import Path

import bench

_FOLDER = Path(__file__).parent
_NO_BENCHES = {"__main__", "figure", "stopwatch", "pyramid_photos"}
"""The last needs photographs that are not part of the project."""


def names() -> list[str]:
    """Returns every bench: the modules of this folder that have `figures()`."""
    found = (module.name for module in pkgutil.iter_modules(bench.__path__) if module.name not in _NO_BENCHES)
    return sorted(name for name in found if "\ndef figures(" in (_FOLDER / f"{name}.py").read_text())


def main(wanted: list[str]) -> int:
    """Print the figures of the wanted benches."""
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"There is no bench {', '.join(unknown)}. There are: {', '.join(names())}.", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}; rates per processor second, medians")
    missed = 0
    for name in wanted or names():
        print(f"\n{name}")
        for figure in import_module(f"bench.{name}").figures():
            print(f"  {figure}", flush=True)
            missed += not figure.holds
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
