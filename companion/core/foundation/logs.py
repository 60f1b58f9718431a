"""The log: one line per event, as text or JSON, without secrets.

No part of a request (body, query, header) and no text of a position is ever logged. All lines pass through one
formatter that hides every registered secret; addresses are values that print without their secrets
(`companion.core.foundation.secrecy`). A failing log does not stop other work.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from contextlib import suppress
from contextvars import ContextVar
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from msgspec import Struct

from companion.core.foundation.errors import BadFile
from companion.core.foundation.secrecy import HIDDEN

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that this thread is answering; empty outside of a request."""

ROOT = "companion"
"""The parent of all loggers of this project. Other packages are logged from level WARNING on."""

# Without a handler, Python would print warnings to the terminal even if there is no log.
logging.getLogger(ROOT).addHandler(logging.NullHandler())

_FIELDS = "companion_fields"
_PLAIN = re.compile(r"[A-Za-z0-9_.:/+*@-]+")
_OWNER = 0o600


class LogSettings(Struct, frozen=True):
    """The destination of the log, and how much of it is kept."""

    path: Path | None = None
    """The log file; None: standard error."""
    level: Level = "info"
    as_json: bool = False
    most_bytes: int = 1_000_000
    """The size in bytes at which a log file is rotated."""
    kept: int = 5
    """The number of rotated files that are kept."""


def note(logger: logging.Logger, level: int, event: str, *, error: Any = None, **fields: Any) -> None:
    """Logs one event with its fields.

    Args:
        event: A word or two; details that vary belong in the fields.
        error: An exception or `sys.exc_info()`, whose traceback is kept on the same line.
    """
    logger.log(level, event, extra={_FIELDS: fields}, exc_info=error)


class Line(logging.Formatter):
    """A formatter that writes a log record as one line without secrets."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json
        self._secrets: set[str] = set()

    def hide(self, secret: str | None) -> None:
        """Registers a value that is never written to the log; None and the empty text are ignored."""
        if secret:
            self._secrets.add(secret)

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line, without a line break at its end."""
        seconds, millis = divmod(int(record.created * 1000), 1000)
        moment = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{millis:03d}Z"
        fields: dict[str, Any] = dict(getattr(record, _FIELDS, {}))
        if (request := REQUEST.get()) and "request" not in fields:
            fields["request"] = request
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        shown = {name: self._shown(value) for name, value in fields.items() if value is not None}
        said = self._shown(record.getMessage())
        name = record.name.removeprefix(f"{ROOT}.")
        if self._as_json:
            line = {"at": moment, "level": record.levelname.lower(), "logger": name, "event": said, **shown}
            return json.dumps(line, ensure_ascii=False)
        words = [f"{moment} {record.levelname:<7} {name} {_one_line(said)}"]
        return " ".join([*words, *(f"{name}={_word(value)}" for name, value in shown.items())])

    def _shown(self, value: Any) -> Any:
        if isinstance(value, bool | int | float):
            return value
        text = str(value)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text


class _LogFile(RotatingFileHandler):
    """A rotating file that only its owner may read; a full disk is reported once and stops no other work."""

    def __init__(self, settings: LogSettings, path: Path) -> None:
        path.touch(_OWNER)
        super().__init__(path, maxBytes=settings.most_bytes, backupCount=settings.kept, encoding="utf-8")
        self._told = False

    def _open(self) -> Any:
        Path(self.baseFilename).touch(_OWNER)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Reports the failure once, on standard error."""
        if not self._told:
            self._told = True
            sys.stderr.write(f"companion: the log {self.baseFilename} cannot be written; the game goes on without.\n")


class EventLog:
    """The log of this process. As a context manager it starts the log and ends it."""

    def __init__(self, settings: LogSettings) -> None:
        """Raises BadFile: The file cannot be written."""
        self._line = Line(settings.as_json)
        if settings.path is None:
            self._handler: logging.Handler = logging.StreamHandler()
        else:
            try:
                self._handler = _LogFile(settings, settings.path)
            except OSError as error:
                raise BadFile(
                    f"The log {settings.path} cannot be written ({error.strerror}). Name another file with --log."
                ) from error
        self._handler.setFormatter(self._line)
        self._level = settings.level.upper()

    def hide(self, secret: str | None) -> None:
        """Registers a value that is never written to the log."""
        self._line.hide(secret)

    def __enter__(self) -> EventLog:
        root = logging.getLogger()
        self._before = root.level, logging.getLogger(ROOT).level
        root.addHandler(self._handler)
        root.setLevel(logging.WARNING)
        logging.getLogger(ROOT).setLevel(self._level)
        logging.captureWarnings(True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        logging.captureWarnings(False)
        logging.getLogger().removeHandler(self._handler)
        logging.getLogger().setLevel(self._before[0])
        logging.getLogger(ROOT).setLevel(self._before[1])
        with suppress(OSError):  # a full disk, which was reported already
            self._handler.close()


def _one_line(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")


def _word(value: Any) -> str:
    """Returns a value as one word, in quotation marks if it is not a plain word."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
