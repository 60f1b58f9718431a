"""The sentences about known vulnerabilities, and about databases that give no answer."""

from __future__ import annotations

from tests.release.audit import judged

CLEAN = {"name": "flask", "version": "3.1.3", "vulns": []}
BAD = {"name": "pillow", "version": "9.0.0", "vulns": [{"id": "PYSEC-2023-175", "fix_versions": ["10.0.1"]}]}
UNKNOWN = {"name": "pillow", "skip_reason": "Dependency not found on PyPI and could not be audited: pillow (9.0.0)"}


def test_a_known_vulnerability_fails_and_says_what_mends_it() -> None:
    assert judged("container", [[CLEAN, BAD]]) == (1, ["pillow 9.0.0: PYSEC-2023-175, mended in 10.0.1."])


def test_none_is_said_only_of_what_was_looked_up() -> None:
    assert judged("container", [[CLEAN]]) == (0, ["locked/container.txt: 1 packages have no known vulnerability."])
    known, (missed, clean) = judged("container", [[CLEAN, UNKNOWN]])
    assert known == 0 and "no database knows pillow; these were not audited." in missed and "1 packages" in clean


def test_a_database_that_knows_nothing_is_no_clean_answer() -> None:
    silent = (0, ["locked/build.txt was not audited: no database of known vulnerabilities can be had from here."])
    assert judged("build", []) == judged("build", [[UNKNOWN], [UNKNOWN]]) == silent


def test_what_one_database_does_not_know_another_may() -> None:
    assert judged("container", [[UNKNOWN], [BAD]])[0] == 1
