"""Finds the texts for people in the code, as forms with parameters that a catalog has to translate.

Texts are written in English where they are used, and no function marks them. They are found by their look: several
words, or one word that begins with a capital letter. Expressions become parameters: `f"{CODES[card]} is in player {seat
+ 1}'s hand."` is "{card} is in {who}'s hand.". A test compares the forms with the catalogs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from pathlib import Path

ROOT = Path(__file__).parents[2]
_WORDS = re.compile(r"[A-Za-z]{2,}[,;:.]? +[{A-Za-z(]|[}] [a-z]{2}|^[A-Z][a-z]+[a-z.?]*$|[a-z] \{")
_SENTENCES = re.compile(r"(?<=[.?]) (?=\S)")
_PLAYER = re.compile(r"\b[Pp]layer (\{\w+\})")
_PARAMETER = re.compile(r"\{\w+\}")
_LAST_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SILENT = {"BadRecord", "AssertionError", "TypeError", "ValueError", "KeyError", "JournalError", "compile", "getLogger"}
"""The functions whose texts no page shows."""


_UNREAD = re.compile(r"//[^\n]*|/\*.*?\*/|/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\\[])+/[a-z]*", re.DOTALL)
"""A pattern for comments and regular expressions in the page's modules."""
_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_NO_TEXT = re.compile(r"(?:\b(?:class|className|d|path)|-key\W?)\s*[:=]\s*$")
"""The beginnings of strings that people never read."""


def skeleton(form: str) -> str:
    """Returns a form without the names of its parameters, for comparing code and catalog."""
    return _PARAMETER.sub("{}", form)


def forms_of(path: Path, classes_only: bool = False) -> Iterator[str]:
    """Yields the forms of one file; the same form may come several times.

    Args:
        classes_only: Leave out the functions of a Python module that belong to no class.
    """
    texts = _python(path.read_text(), classes_only) if path.suffix == ".py" else _javascript(path.read_text())
    for text in texts:
        form = _people(text.strip())
        if _WORDS.search(form) and re.search(r"[A-Za-z]{2}", _PARAMETER.sub("", form)):
            yield form


def missing(form: str, known: Set[str]) -> list[str]:
    """Returns the parts of a form that no catalog has, neither as a whole nor sentence by sentence.

    Args:
        known: The skeletons of the catalog's messages.
    """
    if _is_known(form, known):
        return []
    return [
        one
        for one in _SENTENCES.split(form)
        if re.search(r"[A-Za-z]{2}", _PARAMETER.sub("", one)) and not _is_known(one, known)
    ]


def _is_known(form: str, known: Set[str]) -> bool:
    bare = skeleton(form.strip())
    return (
        {bare, f"{bare}."} & known != set()
        or (bare[-1:] in ".:;," and bare[:-1] in known)
        or bare.removeprefix("{} ") in known
    )


def _people(form: str) -> str:
    """Returns a form with "player {seat}" as {who}, and a second one as {who2}."""
    free = (name for name in ("{who}", *(f"{{who{n}}}" for n in range(2, 99))) if name not in form)
    return _PLAYER.sub(lambda _: next(free), form)


class _Names:
    """Names for parameters, taken from the last word of their expressions; each name occurs once in a form."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def of(self, expression: str) -> str:
        words = _LAST_WORD.findall(expression)
        name = next((word.strip("_").lower() for word in reversed(words) if len(word.strip("_")) > 1), "it")
        self._used[name] = self._used.get(name, 0) + 1
        return "{" + name + (str(self._used[name]) if self._used[name] > 1 else "") + "}"


def _python(source: str, classes_only: bool) -> Iterator[str]:
    tree = ast.parse(source)
    if classes_only:
        tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    constants = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    yield from _texts(tree, {name: value for name, value in constants.items() if isinstance(value, str)})


def _texts(node: ast.AST, constants: dict[str, str]) -> Iterator[str]:
    """Yields the texts for people in a part of the program."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
        return
    if isinstance(node, ast.JoinedStr):
        yield _form(node, constants)
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                yield from _texts(value.value, constants)
        return
    if isinstance(node, ast.Call) and _called(node) in _SILENT:
        return
    if isinstance(node, (ast.AnnAssign, ast.arg)) and not _annotated(node):
        parts: list[ast.AST] = [node.value] if isinstance(node, ast.AnnAssign) and node.value is not None else []
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts = [node.args, *node.body]
    elif isinstance(node, ast.Compare) or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"):
        parts = []
    elif isinstance(node, ast.Dict):
        parts = list(node.values)
    else:
        parts = list(ast.iter_child_nodes(node))
    for part in parts:
        if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
            yield from _texts(part, constants)


def _annotated(node: ast.AnnAssign | ast.arg) -> bool:
    """True if the annotation of a name includes a text for people, like those of options."""
    annotation = node.annotation
    return annotation is not None and "Meta(" in ast.unparse(annotation)


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _form(node: ast.JoinedStr, constants: dict[str, str]) -> str:
    names, parts = _Names(), []
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts.append(str(value.value))
        elif isinstance(value, ast.FormattedValue):
            expression = ast.unparse(value.value)
            parts.append(constants.get(expression) or names.of(expression))
    return "".join(parts)


def _javascript(source: str) -> Iterator[str]:
    """Yields the texts in a module of the page: strings and templates, without comments and regular expressions."""
    at, before = 0, ""
    while at < len(source):
        skipped = _UNREAD.match(source, at)
        sign = source[at]
        if skipped is not None and (sign != "/" or skipped[0][:2] in ("//", "/*") or before[-1:] in "(,=:[!&|?{};"):
            at = skipped.end()
        elif sign == '"':
            found = _STRING.match(source, at)
            assert found is not None, source[at : at + 40]
            at = found.end()
            if not _NO_TEXT.search(before):
                yield _unescaped(found[1])
            before += sign
        elif sign == "`":
            form, inside, at = _template(source, at + 1)
            if not _NO_TEXT.search(before):
                yield _unescaped(form)
            for expression in inside:
                yield from _javascript(expression)
            before += sign
        else:
            before = before[-40:] + sign
            at += 1


def _template(source: str, at: int) -> tuple[str, list[str], int]:
    """Returns a template string as a form, the expressions in it, and the index of its end."""
    names, form, inside = _Names(), "", []
    while source[at] != "`":
        if source.startswith("${", at):
            end, depth = at + 2, 1
            while depth:
                if source[end] == "`":
                    end = _template(source, end + 1)[2]
                    continue
                depth += {"{": 1, "}": -1}.get(source[end], 0)
                end += 1
            inside.append(source[at + 2 : end - 1])
            form += names.of(re.sub(r'"[^"]*"|`[^`]*`', "", inside[-1]))
            at = end
        else:
            length = 2 if source[at] == "\\" else 1
            form += source[at : at + length]
            at += length
    return form, inside, at + 1


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text).replace('\\"', '"')
