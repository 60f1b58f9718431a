"""Short forms in the JSON data of events, written out: "d6 red" for a die, "ryl" for a pyramid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def written_out(forms: Mapping[str, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Returns the function that writes out the data of an event; data that is no object stays as it is.

    :param forms: by field: what makes an object of a value, or of each where the field holds several.
    """

    def plain(data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return {key: _each(value, forms[key]) if key in forms else value for key, value in data.items()}

    return plain


def _each(value: Any, form: Callable[[Any], Any]) -> Any:
    return [form(one) for one in value] if isinstance(value, list | tuple) else form(value)
