"""What is handed out beside the program: license, locked versions, a container, a unit of systemd."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = re.compile(r"^([a-z0-9-]+)==([^ ;\\]+)", re.MULTILINE)


def named(requirement: str) -> str:
    return re.split(r"[<>=\[; ]", requirement, maxsplit=1)[0].lower()


SERVING = ("mqtt", "metrics", "postgresql", "club", "ratings")
"""The extras of a server, all of which the container has."""


@pytest.mark.parametrize(
    ("file", "extras"),
    [("requirements.txt", ()), ("container.txt", SERVING), ("ci.txt", ("test", "check"))],
    ids=["plain", "container", "ci"],
)
def test_every_dependency_is_locked_with_hashes(file: str, extras: tuple[str, ...]) -> None:
    text = (ROOT / "locked" / file).read_text()
    wanted = {named(one) for one in PROJECT["dependencies"]}
    wanted |= {named(one) for extra in extras for one in PROJECT["optional-dependencies"][extra]}
    assert wanted <= {name for name, _ in PINNED.findall(text)}
    for block in re.split(r"\n(?=[a-z])", text.strip()):
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_the_license_is_named_and_there() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    assert PROJECT["license-files"] == ["LICENSE"]
    assert "Apache License" in (ROOT / "LICENSE").read_text()


def test_the_container_runs_without_privileges_and_with_locked_versions() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text().splitlines()
    assert "USER companion" in lines
    start = next(number for number, line in enumerate(lines) if line.startswith("ENTRYPOINT"))
    assert lines.index("USER companion") < start
    assert any("--require-hashes -r /tmp/requirements.txt" in line for line in lines)
    assert "COPY locked/container.txt /tmp/requirements.txt" in lines


def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        assert os.environ.get("CI") != "true", "systemd-analyze is missing"
        pytest.skip("systemd-analyze is not installed, so the unit is not verified.")
    unit = tmp_path / "companion.service"
    # The program is not installed where the unit expects it; what systemd says of the rest is what counts.
    text = (ROOT / "deploy" / "companion.service").read_text()
    unit.write_text(text.replace("/opt/companion/bin/companion", "/bin/true"))
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
