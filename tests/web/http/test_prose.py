"""Rule texts as HTML."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import example, given
from hypothesis import strategies as st

from web.http.compiled_templates import prose


def test_paragraphs_lists_and_tables() -> None:
    html = prose("One `code` and **bold**.\nSame.\n\n- a\n- b\n\nBefore:\n| x | y |\n| --- | --- |\n| 1 | 2 |\nAfter.")
    assert "<p>One <code>code</code> and <strong>bold</strong>. Same.</p>" in html
    assert "<ul><li>a</li><li>b</li></ul>" in html
    assert '<th scope="col">x</th>' in html and "<td>2</td>" in html
    assert "<p>After.</p>" in html and "---" not in html


def test_rulings_are_emphasized() -> None:
    assert prose("*Ruling:* two * three * four") == "<p><em>Ruling:</em> two * three * four</p>"


def test_numbers_of_rules_are_links() -> None:
    assert prose("See TRI-9 and SPA-12.") == '<p>See <a href="#TRI-9">TRI-9</a> and <a href="#SPA-12">SPA-12</a>.</p>'
    assert "href" not in prose("X-9 and ATRI-99x9 and [a](http://evil.example)")


@example("|-")
@given(st.text(alphabet="<>&\"'`*|-[]() \nabTRI9", max_size=80))
def test_markup_in_a_text_stays_text(text: str) -> None:
    root = ET.fromstring(f"<div>{prose(text)}</div>")
    allowed = {"div", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "em", "a"}
    assert {element.tag for element in root.iter()} <= allowed
