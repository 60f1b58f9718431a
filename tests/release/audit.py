"""`make audit` asks the databases that `pip-audit` knows for vulnerabilities of the packages that the container installs.

The exit status is 1 if there are any. If no database can be reached, or none knows a package, a sentence says what was not
looked up: silence must not pass for an answer, and tests must run on machines without a network, too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LOCKED = ("container", "build")
"""The files of `locked` whose packages are in the container, or build what is in it."""
SERVICES = ("pypi", "osv")
"""The databases, in the order in which they are asked; the second one is asked if the first one lacks a package."""


def main() -> int:
    """Returns 1 if a locked version has a known vulnerability, otherwise 0."""
    found = 0
    for name in LOCKED:
        answers: list[Sequence[Mapping[str, Any]]] = []
        for service in SERVICES:
            answer = asked(name, service)
            if answer is not None:
                answers.append(answer)
                if not any("skip_reason" in one for one in answer):
                    break
        known, sentences = judged(name, answers)
        found |= known
        print(*sentences, sep="\n", flush=True)
    return found


def asked(name: str, service: str) -> Sequence[Mapping[str, Any]] | None:
    """Returns the answer of a database for each locked version; None if the database cannot be reached."""
    locked = ROOT / "locked" / f"{name}.txt"
    audit = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
    asks = ["--vulnerability-service", service, "--format", "json", "-r", str(locked)]
    done = subprocess.run([*audit, *asks], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        print(f"{service}: no answer ({last[:200]})", flush=True)
        return None


def judged(name: str, answers: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[int, list[str]]:
    """Returns 1 if there is a vulnerability, otherwise 0, and the sentences to print.

    :param answers: one answer for each database that was reached. It holds a mapping for each package, as `pip-audit` writes it: `name`, and either
        `version` with `vulns`, or `skip_reason`.
    """
    looked_up: dict[str, list[str]] = {}
    names: set[str] = set()
    for one in (one for answer in answers for one in answer):
        names.add(one["name"])
        if "skip_reason" not in one:
            looked_up.setdefault(one["name"], []).extend(
                f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'none yet'}."
                for fault in one["vulns"]
            )
    faults = list(dict.fromkeys(fault for found in looked_up.values() for fault in found))
    missed = sorted(names - set(looked_up))
    if not looked_up:
        return 0, [f"locked/{name}.txt was not audited: no database of known vulnerabilities can be had from here."]
    if missed:
        faults.append(f"locked/{name}.txt: no database knows {', '.join(missed)}; these were not audited.")
    clean = f"locked/{name}.txt: {len(looked_up)} packages have no known vulnerability."
    known = any(looked_up.values())
    return int(known), faults if known else [*faults, clean]


if __name__ == "__main__":
    sys.exit(main())
