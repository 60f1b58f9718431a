"""Modules and style sheets of a page come joined, and are kept for good by the hash in their address."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.web.conftest import Browser
from web.http.bundles import JOINED_MOST, STATIC, joined

PAGES = sorted(path.stem for path in (STATIC / "js").glob("*.js") if path.stem != "theme")
PANELS = sorted(
    f"games/{path.stem}" for path in (STATIC / "js" / "games").glob("*.js") if "GamePanel" in path.read_text()
)


@pytest.mark.parametrize("name", [*PAGES, *(f"{panel}+table" for panel in PANELS)])
def test_modules_are_joined_in_the_order_of_their_needs(name: str) -> None:
    text, known = joined("+".join(dict.fromkeys(("language", *name.split("+")))) + ".js")
    assert not re.search(r"^(?:import|export)\b", text, re.MULTILINE) and len(known) == 16
    made, asked = {}, []
    for place, line in enumerate(text.split("\n")):
        if match := re.match(r"const (\$m\d+) = await \(async", line):
            made[match[1]] = place
        asked += [(one, place) for one in re.findall(r"\} = (\$m\d+);", line)]
    assert made and asked
    assert all(made[one] < place for one, place in asked), "a module is there before another one takes from it"


def test_what_is_named_by_its_hash_is_kept_for_good(host: Browser) -> None:
    page = host.get("/setup").text
    named = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(named) >= 4
    for address in named:
        answer = host.get(address.replace("&amp;", "&"))
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable", address
    again = host.get("/static/bundle/page+parts.css?v=0")
    assert again.headers["Cache-Control"] == "no-cache", "another hash: the page was made before the file changed"
    words = host.get("/setup", headers={"Accept-Language": "de"}).text
    (digest,) = re.findall(r'data-words="(\w+)"', words)
    assert "immutable" in host.get(f"/language/de.json?v={digest}").headers["Cache-Control"]
    assert host.get("/language/de.json").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "name", ["../app.js", "nothing.js", "table.js.css", "TABLE.js", "page+.css", "lib/../table.js", "table+table.js"]
)
def test_no_other_file_is_joined(host: Browser, name: str) -> None:
    assert host.get(f"/static/bundle/{name}").status_code == 404


def test_many_combinations_are_not_all_remembered(host: Browser) -> None:
    sheets = sorted(path.stem for path in (STATIC / "css").glob("*.css"))
    for one, other in itertools.permutations(sheets, 2):
        assert host.get(f"/static/bundle/{one}+{other}.css").status_code == 200
    assert joined.cache_info().currsize <= JOINED_MOST
    assert host.get(f"/static/bundle/{'+'.join(sheets + PAGES)}.css").status_code == 404
