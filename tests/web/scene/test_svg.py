"""A scene as text never lets anything out of its place, whatever stands in it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.scene.shape import Shape, group, label, shape
from web.scene.svg import plain, svg, tree

NS = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    '<img src=x onerror="alert(1)">',
    "</text><script>alert(1)</script>",
    '" onload="x',
    "&lt;",
    "\u202eabc",
    "a\x00b\x1b",
    "😀" * 50,
    "]]>",
    "\ud800",
    "a\r\nb\tc",
]
ANY_TEXT = st.text(st.characters(), max_size=60) | st.sampled_from(HOSTILE)


@given(ANY_TEXT, ANY_TEXT)
def test_text_and_attributes_come_back_as_they_were(text: str, name: str) -> None:
    scene = shape("svg", {"aria-label": name}, label(text, (1, 2), "name", 10))
    root = ET.fromstring(svg(scene))
    assert [child.tag for child in root] == [f"{NS}text"]
    assert root[0].text == (plain(text) or None)
    assert len(root[0]) == 0
    assert root.attrib == {"aria-label": plain(name)}


@given(ANY_TEXT)
def test_the_tree_says_the_same_as_the_text(text: str) -> None:
    scene = shape("svg", {"id": "a"}, group("g", text, aria_label=text))
    tag, attributes, children = tree(scene)
    root = ET.fromstring(svg(scene))
    assert (tag, attributes) == ("svg", {"id": "a"})
    assert children[0][1]["aria-label"] == root[0].get("aria-label")
    assert "".join(children[0][2]) == (root[0].text or "")


@pytest.mark.parametrize("tag", ["script", "style", "a", "foreignObject", "image", "use", "svg onload=x", ""])
def test_elements_that_could_do_something_are_no_shapes(tag: str) -> None:
    with pytest.raises(ValueError, match="not an element"):
        Shape(tag)


@pytest.mark.parametrize("name", ["onload", "href", "xlink:href", "style", "data-x y", "aria-", "DATA-x", "d onload"])
def test_attributes_that_could_do_something_are_no_attributes(name: str) -> None:
    with pytest.raises(ValueError, match="not an attribute"):
        Shape("g", ((name, "x"),))


def test_a_picture_alone_carries_its_style() -> None:
    text = svg(shape("svg", {}, shape("g", {})), "text > g { fill: red }")
    assert ET.fromstring(text)[0].text == "text > g { fill: red }"


def test_lengths_are_short() -> None:
    scene = shape("line", {"x1": 1 / 3, "y1": -0.001, "x2": 50.0, "y2": None})
    assert scene.attributes == (("x1", "0.33"), ("y1", "0"), ("x2", "50"))
    assert scene.get("x2") == "50" and scene.get("y2") is None
