"""Addresses and settings without what must stay secret in them: for whatever people print, keep or send to others."""

from __future__ import annotations

import re

HIDDEN = "***"
"""What stands in place of a secret."""

_ADDRESS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?P<rest>[^\s\"'<>]*)")
_STRING = r"""\"{3}[\s\S]*?\"{3}|\'{3}[\s\S]*?\'{3}|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|[^\s,}\]]+"""
_SETTING = re.compile(rf"""([\w-]*(?:password|secret)[\w-]*["']?\s*=\s*)(?:{_STRING})""")
_HOOKS = re.compile(r"""(\bhooks["']?\s*=\s*)(?:\[[^\]]*\]?|[^\n]*)""")
_QUERY = re.compile(r"(?<=[?&;])([^=&;#]*)=([^&;#]*)")


def without_secrets(text: str) -> str:
    """A text whose addresses tell neither user, password nor the values of a query.

    Cameras are given as `rtsp://user:password@host/stream?token=...`; a password may itself hold `@` and `/`, so
    everything up to the last `@` of an address is hidden.
    """
    return _ADDRESS.sub(_hidden, text)


def settings_without_secrets(text: str) -> str:
    """The text of a configuration file without passwords, secrets and the addresses that news are sent to.

    What follows such a key is hidden in every way that TOML has of writing it, in comments, too.
    """
    return without_secrets(_SETTING.sub(rf'\1"{HIDDEN}"', _HOOKS.sub(rf'\1["{HIDDEN}"]', text)))


def _hidden(found: re.Match[str]) -> str:
    rest = found["rest"]
    if "@" in rest:
        rest = f"{HIDDEN}@{rest.rpartition('@')[2]}"
    return found["scheme"] + _QUERY.sub(rf"\1={HIDDEN}", rest)
