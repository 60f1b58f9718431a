"""A game's options as fields of a form, read from the types that the game itself checks them with.

So an option is written down once, with its bounds and its sentence, and the page can never offer a value that the
game refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec.inspect
from msgspec import UNSET, Struct, UnsetType


class OptionField(Struct, frozen=True, omit_defaults=True):
    """One option on the page."""

    name: str
    kind: Literal["switch", "choice", "number", "text"]
    title: str
    sentence: str
    default: Any
    choices: tuple[str | int, ...] | UnsetType = UNSET
    least: int | float | UnsetType = UNSET
    most: int | float | UnsetType = UNSET
    labels: Mapping[str, str] | UnsetType = UNSET
    """The words for choices whose values are no words."""
    seats: Literal["least", "most"] | UnsetType = UNSET
    """How a number depends on the number of players. "least" is not offered: it follows by itself."""


def fields(options: type[Struct]) -> tuple[OptionField, ...]:
    """The options of a game in their order.

    Raises:
        TypeError: An option is of a kind that a form cannot show; a mistake of the game's author.
    """
    info = msgspec.inspect.type_info(options)
    assert isinstance(info, msgspec.inspect.StructType)
    return tuple(_field(field) for field in info.fields)


def with_seats(options: type[Struct], chosen: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The chosen options, with those that follow from the number of players.

    Args:
        chosen: Options by their names; one that was chosen stays as it is.
    """
    follow = {
        field.name: seats
        for field in fields(options)
        if field.seats == "least" and field.name not in chosen and seats > field.default
    }
    return {**chosen, **follow}


def _field(field: msgspec.inspect.Field) -> OptionField:
    kind: msgspec.inspect.Type = field.type
    about: dict[str, Any] = {}
    while isinstance(kind, msgspec.inspect.Metadata):
        about = {**(kind.extra_json_schema or {}), **about}
        kind = kind.type
    default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    shown = {
        "name": field.encode_name,
        "title": about.get("title", field.name.replace("_", " ").capitalize()),
        "sentence": about.get("description", ""),
        "default": default,
    }
    if isinstance(kind, msgspec.inspect.BoolType):
        return OptionField(kind="switch", **shown)
    if isinstance(kind, msgspec.inspect.LiteralType):
        # The default first; the rest in the order of their sentence, which is the order of the rules.
        values = [value for value in kind.values if value is not None]
        values.sort(key=lambda value: (value != default, _place(shown["sentence"], str(value))))
        return OptionField(kind="choice", choices=tuple(values), labels=about.get("labels", UNSET), **shown)
    if isinstance(kind, msgspec.inspect.IntType | msgspec.inspect.FloatType):
        least = kind.ge if kind.ge is not None else kind.gt
        most = kind.le if kind.le is not None else kind.lt
        return OptionField(
            kind="number",
            least=UNSET if least is None else least,
            most=UNSET if most is None else most,
            seats=about.get("seats", UNSET),
            **shown,
        )
    if isinstance(kind, msgspec.inspect.StrType):
        return OptionField(kind="text", **shown)
    raise TypeError(f"The option {field.name} is of a type that a form cannot show: {kind}")


def _place(sentence: str, value: str) -> int:
    found = sentence.find(value)
    return found if found >= 0 else len(sentence)
