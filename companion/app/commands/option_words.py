"""Options of a game as words of the command line: `--option edges=all`."""

from __future__ import annotations

from companion.core.foundation.errors import WrongUsage


def parse_options(texts: tuple[str, ...]) -> dict[str, object]:
    """`edges=all` and the like; yes/no words become booleans, digits numbers.

    :raises WrongUsage: one is not of that form.
    """
    words: dict[str, object] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    found: dict[str, object] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key or not value:
            raise WrongUsage(f'"{text}" is no option. Write it as name=value, for example --option edges=all.')
        found[key] = words.get(value.lower(), int(value) if value.isdecimal() else value)
    return found
