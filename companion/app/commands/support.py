"""`companion support`: packs the data that helps to find a fault into one file that may be sent to others.

It contains the log, the configuration without secrets, the report of `doctor`, and the state of the tables of a running
server; no journal, no hand and no key. A picture of the table is included only on request.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener
from zipfile import ZIP_DEFLATED, ZipFile

import click

from companion import __version__
from companion.app.commands.address import PORT
from companion.app.commands.config import printable
from companion.app.commands.configuration import FILE, served_journals, told_port
from companion.app.commands.options import ADDRESS, PATH
from companion.core.foundation.errors import BackupError
from companion.core.foundation.kept_file import Spoiled, decode_json
from companion.core.foundation.secrecy import SecretAddress

_READINGS, _DEVICES, _PICTURE = "api/eyes/readings", "api/devices", "camera/still.jpg"
"""The addresses that are requested from each table of a running server."""
_WAIT_S = 3.0


@click.command("support", short_help="Pack what helps to find a fault into one file, without secrets.")
@click.argument("target", metavar="FILE", type=PATH)
@click.option("--journal", type=PATH, metavar="FILE", help="Check this journal and its log instead of those of serve.")
@click.option("--log", type=PATH, metavar="FILE", help="Use this log instead of the one beside the journal.")
@click.option(
    "--port", type=click.IntRange(1, 65535), metavar="P", help=f"Port of the page.  [default: that of serve, {PORT}]"
)
@click.option(
    "--camera", type=ADDRESS, metavar="SOURCE", help="Let doctor check this camera; otherwise it checks none."
)
@click.option("--picture", is_flag=True, help="Also pack the present picture of the table.")
@click.pass_context
def support_command(
    ctx: click.Context,
    target: Path,
    journal: Path | None,
    log: Path | None,
    port: int | None,
    camera: SecretAddress | None,
    picture: bool,
) -> None:
    """Pack log, configuration without secrets, doctor's report and the last readings into the zip FILE.

    A server may run meanwhile; the command then asks it for the state of its table. The file holds no journal, hand,
    key or password, and no picture unless you ask for one. The configuration may contain players' names.
    """
    configuration: Path | None = ctx.meta.get(FILE)
    port = port or told_port(configuration) or PORT
    journals = list(served_journals(configuration, journal).values())
    found: dict[str, bytes] = {"version.txt": f"{__version__}\n".encode()}
    found["doctor.jsonl"] = _doctor(camera, port, journals)
    if (settings := printable(ctx.find_root())) is not None:
        found["companion.toml"] = settings.encode()
    for path in _logs(log or journals[0].with_name(journals[0].name + ".log")):
        found[f"log/{path.name}"] = path.read_bytes()
    found |= _asked(f"http://127.0.0.1:{port}", picture)
    _write(target, found)
    click.echo(f"{target} holds {', '.join(found)}. Read it before you send it to anybody.")


def _asked(server: str, picture: bool) -> dict[str, bytes]:
    """Returns the state of each table of a running server, by file name; each of several tables has its own files."""
    asked = {"healthz.json": "/healthz"}
    for table, at in _tables(server).items():
        asked |= {f"readings{table}.json": f"{at}{_READINGS}", f"devices{table}.json": f"{at}{_DEVICES}"}
        if picture:
            asked[f"picture{table}.jpg"] = f"{at}{_PICTURE}"
    answers = {name: _ask(f"{server}{address}") for name, address in asked.items()}
    return {name: answer for name, answer in answers.items() if answer is not None}


def _tables(server: str) -> dict[str, str]:
    """Returns the addresses of open tables by the suffix of their files; a server without names has one table."""
    answer = _ask(f"{server}/api/tables")
    if answer is None:
        return {"": "/"}
    try:
        tables = decode_json(answer, dict[str, Any])["tables"]
        return {f"-{table['name']}": f"/t/{table['name']}/" for table in tables if table["open"]}
    except (Spoiled, KeyError, TypeError):
        return {"": "/"}


def _doctor(camera: SecretAddress | None, port: int, journals: Sequence[Path]) -> bytes:
    from companion.app.commands.doctor import camera_checks, game_checks, journal_check, port_check, version_checks

    def all_checks() -> Iterator[str]:
        checks = [*version_checks(), *game_checks(), port_check(port), *map(journal_check, journals)]
        # Opening a camera would take it away from a running server, so none is opened unless it is named.
        checks += [] if camera is None else list(camera_checks(camera))
        for check in checks:
            yield json.dumps({name: getattr(check, name) for name in check.__struct_fields__})

    return ("\n".join(all_checks()) + "\n").encode()


def _logs(path: Path) -> list[Path]:
    """Returns the log and the rotated files."""
    aside = [one for one in path.parent.glob(f"{path.name}.*") if one.suffix[1:].isdigit()]
    return [one for one in (path, *sorted(aside)) if one.is_file()]


def _ask(address: str) -> bytes | None:
    """Returns the answer of the server on this machine, or None."""
    try:
        with build_opener(ProxyHandler({})).open(address, timeout=_WAIT_S) as answer:
            found: bytes = answer.read()
            return found
    except (URLError, OSError):
        return None


def _write(target: Path, found: dict[str, bytes]) -> None:
    """Writes the zip. Raises BackupError: The file already exists or cannot be written."""
    try:
        with (
            os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
            ZipFile(file, "w", ZIP_DEFLATED) as archive,
        ):
            for name, data in found.items():
                archive.writestr(name, data)
    except FileExistsError as error:
        raise BackupError(f"There is a file {target} already. Give another name; nothing was overwritten.") from error
    except OSError as error:
        raise BackupError(f"{target} cannot be written ({error.strerror}). Give another path.") from error
