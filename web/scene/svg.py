"""A scene as text, and as plain lists.

Templates escape what they print but not what Python code composes, so this writer escapes texts and attributes
itself, and replaces the control characters that XML does not allow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from web.scene.shape import Shape

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"}
_ATTRIBUTE_ESCAPES = {**_ESCAPES, ord("\n"): "&#10;", ord("\t"): "&#9;", ord("\r"): "&#13;"}


def plain(text: str) -> str:
    """Returns text with each character that XML does not allow replaced by the replacement character."""
    return _NOT_XML.sub("\ufffd", text)


def escaped(text: str) -> str:
    """Returns text escaped for the place between tags."""
    return plain(text).translate({**_ESCAPES, ord("\r"): "&#13;"})


def translated(scene: Shape, words: Callable[[str], str]) -> Shape:
    """Returns the scene with all its texts translated."""
    spoken = tuple((name, words(value) if name == "aria-label" else value) for name, value in scene.attributes)
    children = tuple(words(child) if isinstance(child, str) else translated(child, words) for child in scene.children)
    return Shape(scene.tag, spoken, children)


def svg(scene: Shape, style: str | None = None) -> str:
    """Returns the scene as SVG text.

    Args:
        style: The style sheet of a separate picture; a picture within the page uses the page's.
    """
    parts: list[str] = []
    _write(scene, parts, style)
    return "".join(parts)


def _write(scene: Shape, parts: list[str], style: str | None, *, root: bool = True) -> None:
    parts.append(f"<{scene.tag}")
    if root and scene.tag == "svg":
        parts.append(' xmlns="http://www.w3.org/2000/svg"')
    for name, value in scene.attributes:
        parts.append(f' {name}="{plain(value).translate(_ATTRIBUTE_ESCAPES)}"')
    if not scene.children and style is None:
        parts.append("/>")
        return
    parts.append(">")
    if style is not None:
        parts.append(f"<style>{escaped(style)}</style>")
    for child in scene.children:
        if isinstance(child, str):
            parts.append(escaped(child))
        else:
            _write(child, parts, None, root=False)
    parts.append(f"</{scene.tag}>")


def tree(scene: Shape) -> list[Any]:
    """Returns the scene as `[tag, {attribute: value}, [child, ...]]`; a child is such a list, or text."""
    children = [plain(child) if isinstance(child, str) else tree(child) for child in scene.children]
    return [scene.tag, {name: plain(value) for name, value in scene.attributes}, children]
