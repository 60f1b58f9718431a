"""What is handed out beside the program: license, locked versions, a container, a unit of systemd."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tests.release.third_parties import LISTED, ThirdParty, looked_into, written
from web.sockets.connections import MOST, RESERVE

ROOT = Path(__file__).parents[2]
_TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT, BUILD = _TOLD["project"], _TOLD["build-system"]
PINNED = re.compile(r"^([a-z0-9-]+)==([^ ;\\]+)", re.MULTILINE)


def named(requirement: str) -> str:
    return re.split(r"[<>=\[; ]", requirement, maxsplit=1)[0].lower()


CONTAINER = {"python_full_version": "3.11.16", "python_version": "3.11", "sys_platform": "linux"}
"""The environment of the container's base image, by the names that dependency markers use."""
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


@pytest.mark.parametrize("file", ["build.txt", "audit.txt"])
def test_what_builds_and_audits_is_locked_with_hashes(file: str) -> None:
    text = (ROOT / "locked" / file).read_text()
    wanted = {named(one) for one in BUILD["requires"]} if file == "build.txt" else {"pip-audit"}
    assert wanted <= {name for name, _ in PINNED.findall(text)}
    for block in re.split(r"\n(?=[a-z])", text.strip()):
        assert "--hash=sha256:" in block, block.splitlines()[0]


def listed() -> dict[str, tuple[str, str, str]]:
    """Returns version, license and libraries of each package in the list of third parties."""
    rows = re.findall(r"^\| ([a-z][a-z0-9-]*) \| (\S+) \| ([^|]+) \| ([^|]*)\|$", LISTED.read_text(), re.MULTILINE)
    return {name: (version, license_, libraries) for name, version, license_, libraries in rows if name != "package"}


def test_everything_that_the_container_installs_is_listed_with_its_license() -> None:
    text = (ROOT / "locked" / "container.txt").read_text()
    lines = [line.rstrip(" \\") for line in text.splitlines() if PINNED.match(line)]
    pinned = [one for one in map(Requirement, lines) if one.marker is None or one.marker.evaluate(CONTAINER)]
    assert {name: f"=={version}" for name, (version, *_) in listed().items()} == {
        one.name: str(one.specifier) for one in pinned
    }
    parties = [
        ThirdParty(name, *one[:2], tuple(filter(None, one[2].strip().split("; ")))) for name, one in listed().items()
    ]
    assert written(parties) == LISTED.read_text()


def test_what_is_listed_is_what_the_packages_say_of_themselves() -> None:
    agreeing = 0
    for name, (version, license_, _) in listed().items():
        try:
            said = metadata(name)
        except PackageNotFoundError:
            continue
        if said["Version"] == version and said["License-Expression"] is not None:
            assert said["License-Expression"] == license_, name
            agreeing += 1
    assert agreeing > 5


def test_what_is_under_the_lgpl_is_said() -> None:
    parties = listed()
    assert parties["psycopg"][1] == parties["psycopg-binary"][1] == "LGPL-3.0-only"
    for library in ("libavcodec", "libavformat", "libavutil", "libswresample", "libswscale"):
        assert f"{library}: FFmpeg, LGPL-2.1-or-later" in parties["opencv-python-headless"][2]


def test_a_package_or_a_library_of_no_known_license_stops_the_list(tmp_path: Path) -> None:
    def wheel(metadata_: str, *files: str) -> Path:
        path = tmp_path / "one-1-py3-none-any.whl"
        with ZipFile(path, "w") as archive:
            archive.writestr("one-1.dist-info/METADATA", f"Name: one\nVersion: 1\n{metadata_}\n")
            for file in files:
                archive.writestr(f"one.libs/{file}", b"")
        return path

    free = wheel("License-Expression: MIT", "libssl-6a9b88ec.so.3", "libssl-81259c47.so.1.1.1k", "libpng16-1d.so.16.5")
    assert looked_into(free).libraries == (
        "libpng16: libpng-2.0",
        "libssl: OpenSSL, Apache-2.0",
        "libssl: OpenSSL, OpenSSL",
    )
    with pytest.raises(SystemExit, match="one does not say its license"):
        looked_into(wheel("License: see the file"))
    with pytest.raises(SystemExit, match=r"The license of libx264-aa\.so\.1 is not known"):
        looked_into(wheel("License-Expression: MIT", "libx264-aa.so.1"))


def test_the_license_is_named_and_there() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    assert PROJECT["license-files"] == ["LICENSE", "THIRD_PARTY.md"]
    assert "Apache License" in (ROOT / "LICENSE").read_text()


def test_the_container_runs_without_privileges_and_with_locked_versions() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text().splitlines()
    assert "USER companion" in lines
    start = next(number for number, line in enumerate(lines) if line.startswith("ENTRYPOINT"))
    assert lines.index("USER companion") < start
    assert any(re.search(r"--require-hashes .*-r /tmp/requirements.txt", line) for line in lines)
    assert "COPY locked/container.txt /tmp/requirements.txt" in lines
    assert "COPY LICENSE THIRD_PARTY.md /usr/share/doc/companion/" in lines


def test_every_image_is_named_by_its_digest_and_every_install_by_hashes() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text().splitlines()
    bases = {line.split()[1] for line in lines if line.startswith("FROM ")}
    (named_,) = (line.removeprefix("ARG PYTHON=") for line in lines if line.startswith("ARG PYTHON="))
    assert bases == {"${PYTHON}"} and re.fullmatch(r"python:3\.\d+-slim-\w+@sha256:[0-9a-f]{64}", named_)
    fetching = [line for line in lines if re.search(r"pip (install|wheel|download)", line)]
    assert len(fetching) == 4
    assert all("--require-hashes --only-binary :all:" in line or "--no-index" in line for line in fetching)
    (built_,) = (line for line in lines if "pip wheel" in line)
    assert "--no-build-isolation" in built_ and "COPY locked/build.txt /tmp/build.txt" in lines


def test_a_server_may_have_as_many_descriptors_as_its_connections_need() -> None:
    unit = (ROOT / "deploy" / "companion.service").read_text()
    image = (ROOT / "deploy" / "Dockerfile").read_text()
    limits = [*re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE), *re.findall(r"--ulimit nofile=(\d+)", image)]
    assert len(limits) == 2 and all(int(limit) >= MOST + RESERVE for limit in limits)


def test_the_audit_is_part_of_what_a_change_is_tested_with() -> None:
    assert re.search(r"^make .*\baudit\b", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert "locked/audit.txt" in (ROOT / "Makefile").read_text()


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
