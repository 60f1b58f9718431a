"""The whole program as a process that can be killed, and browsers that come to its page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

import pytest

WITHIN_S = 10.0
"""After a power cut, play goes on within this time."""


class House:
    """`companion serve` as a process that can be killed."""

    def __init__(self, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "companion", "serve", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"http://[\d.]+:\d+", line):
                self.url = found.group()
                return
        pytest.fail(f"no page: {self.said}")

    def cut(self) -> None:
        """The power goes."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Browser:
    """A browser with its cookies; a phone comes from elsewhere, which a proxy's header stands for."""

    def __init__(self, *, phone: bool) -> None:
        self.phone = phone
        self.cookies: dict[str, str] = {}

    def ask(self, url: str, body: Any = None) -> Any:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if self.phone:
            headers["Via"] = "1.1 phone"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers |= {"Origin": url[: url.index("/", 8)], "Content-Type": "application/json"}
        with urlopen(Request(url, data, headers), timeout=10) as answer:
            for cookie in answer.headers.get_all("Set-Cookie", []):
                name, value = cookie.split(";")[0].split("=")
                self.cookies[name] = value
            text = answer.read()
        return json.loads(text) if text.startswith(b"{") else None


Serve = Callable[..., House]
"""Starts the house with these words of the command line."""
