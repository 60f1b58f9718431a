"""Build the wheel, install it in an empty environment with the locked versions, and run the demo from it.

    make release-check

Prints how long each step took; exit status 1 if one of them fails. Nothing but the package index is needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
STARTS_S = 30.0
"""A page that does not answer after so long does not answer."""
LIMIT_S = 60.0
"""From the wheel to a page, what the package index takes included."""


def main() -> int:
    """Check one build."""
    with TemporaryDirectory(prefix="companion-release-") as folder:
        there = Path(folder)
        wheel = built(there)
        venv.create(there / "venv", with_pip=True)
        python = there / "venv" / "bin" / "python"
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        locked = ROOT / "locked" / "requirements.txt"
        took = _told("install", [*pip, "--require-hashes", "-r", locked], there)
        took += _told("install the wheel", [*pip, "--no-deps", wheel], there)
        companion = there / "venv" / "bin" / "companion"
        _told("demo, headless", [companion, "demo", "--headless"], there)
        _told("what games promise, without pytest", [python, "-c", "import companion.testing"], there)
        took += _page(companion, there)
    print(f"from the wheel to a page: {took:.0f} s (asked for: under {LIMIT_S:.0f} s)")
    return int(took > LIMIT_S)


def built(there: Path) -> Path:
    """Builds the wheel as the container does, with the locked tools and without fetching anything else.

    :raises SystemExit: it cannot be built so, or lacks a license.
    """
    venv.create(there / "build", with_pip=True)
    python = there / "build" / "bin" / "python"
    quiet = ["--quiet", "--disable-pip-version-check"]
    tools = ["--require-hashes", "--only-binary", ":all:", "-r", ROOT / "locked" / "build.txt"]
    _told("tools that build", [python, "-m", "pip", "install", *quiet, *tools], there)
    alone = ["--no-deps", "--no-index", "--no-build-isolation"]
    _told("wheel", [python, "-m", "pip", "wheel", *quiet, *alone, "--wheel-dir", there, ROOT], there)
    (wheel,) = there.glob("*.whl")
    with ZipFile(wheel) as archive:
        carried = {Path(name).name for name in archive.namelist() if ".dist-info/licenses/" in name}
    if not {"LICENSE", "THIRD_PARTY.md"} <= carried:
        raise SystemExit(f"{wheel.name} carries {sorted(carried)} alone of LICENSE and THIRD_PARTY.md.")
    return wheel


def _told(what: str, command: Sequence[str | Path], there: Path) -> float:
    """Run a step outside of the checkout; its seconds.

    :raises SystemExit: it failed.
    """
    began = time.monotonic()
    done = subprocess.run(list(map(str, command)), cwd=there, env=_environment(), capture_output=True, text=True)
    took = time.monotonic() - began
    print(f"{what}: {took:.1f} s", flush=True)
    if done.returncode:
        raise SystemExit(f"{what} failed:\n{done.stdout}{done.stderr}")
    return took


def _page(companion: Path, there: Path) -> float:
    """Seconds from the command to the answered page of the demo.

    :raises SystemExit: it did not come.
    """
    began = time.monotonic()
    command = [str(companion), "demo", "--port", "0"]
    with subprocess.Popen(command, cwd=there, env=_environment(), stdout=subprocess.PIPE, text=True) as demo:
        try:
            assert demo.stdout is not None
            address = next((word for line in demo.stdout for word in line.split() if word.startswith("http")), "")
            if not address or b"Companion" not in urllib.request.urlopen(address, timeout=STARTS_S).read():
                raise SystemExit("the demo's page did not come")
        finally:
            demo.terminate()
    took = time.monotonic() - began
    print(f"demo, page: {took:.1f} s", flush=True)
    return took


def _environment() -> dict[str, str]:
    """The environment without what points into the checkout."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


if __name__ == "__main__":
    sys.exit(main())
