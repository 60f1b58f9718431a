"""Modules of the page outside the browser, by node's own runner."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE, LIB = Path("tests/javascript"), Path("web/static/js/lib")
NODE = shutil.which("node")


def test_the_page_s_modules_do_what_they_say(tmp_path: Path) -> None:
    if NODE is None:
        assert os.environ.get("CI") != "true", "node is missing; .ci/run installs it"
        pytest.skip("node is not installed, so the page's modules are tested in the browser alone")
    for folder in (HERE, LIB):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    # Older versions of node take a file for a module only if its package says so.
    (tmp_path / "package.json").write_text('{"type": "module"}')
    files = sorted(str(path) for path in (tmp_path / HERE).glob("*.test.mjs"))
    assert files
    command = [NODE, "--test", "--test-reporter=tap", *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout and "# pass 0" not in done.stdout
