"""The MQTT broker for news of the tables, and its login."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.secrecy import Secret, SecretAddress

PORT, TLS_PORT = 1883, 8883
_TOPIC = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


class MqttSettings(Struct, frozen=True):
    """A broker and its settings."""

    host: str
    port: int = PORT
    user: str | None = None
    password: Secret | None = None
    tls: bool = False
    ca: Path | None = None
    """Certificates that the broker's is checked by; None: those of the system."""
    topic: str = "companion"
    """The prefix of all topics."""
    discovery: str | None = "homeassistant"
    """Home Assistant's discovery prefix; None: no discovery."""
    answers: bool = False
    """True if a message may answer "it was put back"."""
    backoff_s: tuple[float, float] = (1.0, 60.0)
    """Shortest and longest wait before the broker is tried again; each wait is twice the one before it."""


def parse_broker(
    address: SecretAddress,
    *,
    password: Secret | None = None,
    ca: Path | None = None,
    topic: str = "companion",
    discovery: str | None = "homeassistant",
    answers: bool = False,
) -> MqttSettings:
    """The settings of an address such as `mqtts://companion@broker.local`.

    Args:
        password: None: that of the address, if it has one.

    Raises:
        WrongUsage: The address names no broker, or a topic has letters that topics must not have.
    """
    if address.scheme not in ("mqtt", "mqtts") or not address.host or address.target.strip("/"):
        raise WrongUsage("The MQTT broker's address is no address. Write mqtt://USER@HOST:PORT, or mqtts:// with TLS.")
    for name in (topic, discovery):
        if name is not None and not _TOPIC.fullmatch(name):
            raise WrongUsage(f'"{name}" cannot begin MQTT topics. Use letters, digits, "-", "_" and "/".')
    tls = address.scheme == "mqtts"
    if ca is not None and not ca.is_file():
        raise WrongUsage(f"There is no file {ca} with the broker's certificates. Give its path with --mqtt-ca.")
    return MqttSettings(
        host=address.host,
        port=address.port or (TLS_PORT if tls else PORT),
        user=address.user,
        password=password or (None if address.password is None else Secret(address.password)),
        tls=tls,
        ca=ca,
        topic=topic,
        discovery=discovery,
        answers=answers,
    )
