"""Publishes the tables' state to an MQTT broker: retained topics that are always up to date, and events that are sent
at most once.

All messages have quality of service 0, on purpose. Within one connection no message is lost or reordered; after every
new connection the whole state is sent again. A higher quality would repeat unconfirmed messages after a broken
connection: an old state after a newer one, or an event twice. News that come while the broker is away wait in the
outbox. News that were being sent when the connection broke are lost, and the numbers of the rows show the gap.
"""

from __future__ import annotations

import logging
import ssl
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.logs import note
from companion.core.verdict import Refused
from companion.referee.news.bulletin import News
from companion.referee.news.news_publisher import NewsPublisher, Outbox

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from companion import __version__
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.referee.news.bulletin import Bulletin

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
    """The certificates that verify the broker's certificate; None: those of the system."""
    topic: str = "companion"
    """The prefix of all topics."""
    discovery: str | None = "homeassistant"
    """Home Assistant's discovery prefix; None: no discovery."""
    answers: bool = False
    """True if a message may answer "it was put back"."""
    backoff_s: tuple[float, float] = (1.0, 60.0)
    """The shortest and the longest wait in seconds before the broker is tried again; each wait is twice the previous
    one."""


def parse_broker(
    address: SecretAddress,
    *,
    password: Secret | None = None,
    ca: Path | None = None,
    topic: str = "companion",
    discovery: str | None = "homeassistant",
    answers: bool = False,
) -> MqttSettings:
    """Returns the settings for an address such as `mqtts://companion@broker.local`.

    Args:
        password: The password; None: that of the address, if it has one.

    Raises:
        WrongUsage: The address names no broker, or a topic has letters that topics must not have.
    """
    if address.scheme not in ("mqtt", "mqtts") or not address.host or address.target.strip("/"):
        raise WrongUsage("The MQTT broker's address cannot be read. Write mqtt://USER@HOST:PORT, or mqtts:// with TLS.")
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


# The MQTT topics of a table's state, and their discovery messages for Home Assistant.
#
# All of these are retained and describe the present; events are sent to `.../event`, which is never retained.

STATUS, EVENT, ANSWER = "status", "event", "answer"
ONLINE, OFFLINE = b"online", b"offline"
PUT_BACK = b"put-back"

_VERBS = {"move": "to move", "draw": "to draw", "roll": "to roll"}


def status_topic(settings: MqttSettings) -> str:
    """Returns the topic that says whether the referee is running."""
    return f"{settings.topic}/{STATUS}"


def table_topic(settings: MqttSettings, table: str, what: str) -> str:
    """Returns a topic of one table."""
    return f"{settings.topic}/{slug(table)}/{what}"


def slug(table: str) -> str:
    """Returns a table's name in a form for topics."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", table).strip("-") or "table"


def standing(settings: MqttSettings, now: Bulletin) -> Iterator[tuple[str, bytes]]:
    """Yields each retained topic of one table with its present payload."""
    for what, data in _parts(now).items():
        yield table_topic(settings, now.table, what), msgspec.json.encode(data)
    if settings.discovery is not None:
        yield from _discovery(settings, settings.discovery, now)


def _parts(now: Bulletin) -> dict[str, Any]:
    turn = now.turn
    if turn.due in _VERBS:
        text = f"{' or '.join(turn.names)} {_VERBS[turn.due]}"
    else:
        text = "The game is over" if now.over else "No game yet"
    names = [{"name": name, "points": score} for name, score in zip(now.names, now.scores, strict=True)]
    matter = None if now.alert is None else msgspec.to_builtins(now.alert)
    return {
        "state": {
            "game": now.game,
            "title": now.title,
            "row": now.row,
            "names": now.names,
            "over": now.over,
            "winners": now.winners,
            "trouble": now.trouble,
        },
        "turn": {"text": text, **msgspec.to_builtins(turn)},
        "score": {"text": " : ".join(f"{score:g}" for score in now.scores), "seats": names},
        "alert": {"open": matter is not None, **(matter or {})},
        "camera": {"healthy": now.camera.healthy, **msgspec.to_builtins(now.camera)},
    }


def _discovery(settings: MqttSettings, prefix: str, now: Bulletin) -> Iterator[tuple[str, bytes]]:
    """Yields the discovery messages for a table: binary sensors, sensors, and a button if answers are allowed."""
    node = f"{slug(settings.topic)}_{slug(now.table)}"
    device = {
        "identifiers": [node],
        "name": f"Companion {now.table}",
        "manufacturer": "Companion",
        "sw_version": __version__,
    }
    known = {"availability_topic": status_topic(settings), "device": device}

    def entity(kind: str, what: str, name: str, topic: str, template: str, **more: Any) -> tuple[str, bytes]:
        said = {
            "name": name,
            "unique_id": f"{node}_{what}",
            "state_topic": table_topic(settings, now.table, topic),
            "value_template": template,
            **more,
            **known,
        }
        return f"{prefix}/{kind}/{node}/{what}/config", msgspec.json.encode(said)

    alert = "{{ 'ON' if value_json.open else 'OFF' }}"
    camera = "{{ 'OFF' if value_json.healthy else 'ON' }}"
    attributes = {"json_attributes_topic": table_topic(settings, now.table, "alert")}
    yield entity("binary_sensor", "alert", "Alert", "alert", alert, device_class="problem", **attributes)
    yield entity("binary_sensor", "camera", "Camera trouble", "camera", camera, device_class="problem")
    yield entity("sensor", "game", "Game", "state", "{{ value_json.title }}", icon="mdi:dice-multiple")
    yield entity("sensor", "turn", "Turn", "turn", "{{ value_json.text }}", icon="mdi:account-arrow-right")
    yield entity("sensor", "row", "Rows", "state", "{{ value_json.row }}", icon="mdi:counter")
    scores = {"json_attributes_topic": table_topic(settings, now.table, "score")}
    yield entity("sensor", "score", "Score", "score", "{{ value_json.text }}", icon="mdi:scoreboard", **scores)
    if settings.answers:
        button = {
            "name": "It was put back",
            "unique_id": f"{node}_put_back",
            "command_topic": table_topic(settings, now.table, ANSWER),
            "payload_press": PUT_BACK.decode(),
            "icon": "mdi:undo",
            **known,
        }
        yield f"{prefix}/button/{node}/put_back/config", msgspec.json.encode(button)


WAKE_S = 0.5
KEEPALIVE_S = 30

_LOG = logging.getLogger("companion.mqtt")


class MqttService:
    """The connection to one broker. As a context manager it announces on leaving that the referee is gone."""

    def __init__(self, settings: MqttSettings, news: NewsPublisher) -> None:
        """Raises WrongUsage: The package paho-mqtt is missing, or the certificates cannot be used."""
        if find_spec("paho") is None:
            raise WrongUsage('MQTT needs the package paho-mqtt: pip install "tabletop-companion[mqtt]".')
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._settings, self._news = settings, news
        self._outbox = Outbox(f"mqtt {settings.host}")
        self._connected = threading.Event()
        self._closing = threading.Event()
        self._connections = 0
        self._told: dict[str, bytes] = {}
        """The payload of each retained topic that was sent over the present connection."""
        self._client: Client = Client(CallbackAPIVersion.VERSION2)
        if settings.user is not None:
            password = None if settings.password is None else settings.password.reveal()
            self._client.username_pw_set(settings.user, password)
        if settings.tls:
            try:
                self._client.tls_set_context(ssl.create_default_context(cafile=settings.ca))
            except (ssl.SSLError, OSError) as error:
                raise WrongUsage(f"The certificates {settings.ca} cannot be used. Give a file in PEM form.") from error
        self._client.will_set(status_topic(settings), OFFLINE, retain=True)
        shortest, longest = settings.backoff_s
        # The waits are whole seconds, and the client requires the longest one to be above the shortest one.
        self._client.reconnect_delay_set(min_delay=shortest, max_delay=longest)  # type: ignore[arg-type]
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_message = self._on_message
        self._thread = threading.Thread(target=self._run, name="mqtt outbox", daemon=True)

    @property
    def connected(self) -> bool:
        """True if the broker answers."""
        return self._connected.is_set()

    def __enter__(self) -> MqttService:
        self._news.listen(self._outbox)
        self._client.connect_async(self._settings.host, self._settings.port, KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._outbox.wake()
        self._thread.join(timeout=5)
        if self.connected:
            self._client.publish(status_topic(self._settings), OFFLINE, retain=True).wait_for_publish(timeout=2)
        self._client.disconnect()
        self._client.loop_stop()

    def _run(self) -> None:
        connection, held = 0, None
        while not self._closing.is_set():
            held = held or self._outbox.take(WAKE_S)
            if not self._connected.wait(WAKE_S):
                continue
            if self._connections != connection:
                connection = self._connections
                self._told.clear()
                self._say(status_topic(self._settings), ONLINE)
            self._tell_standing()
            if held is not None:
                self._tell(held)
                held = None

    def _tell_standing(self) -> None:
        """Sends every retained topic whose payload has changed; topics of a removed table are cleared."""
        now: dict[str, bytes] = {}
        for one in self._news.bulletins():
            now.update(standing(self._settings, one))
        for topic, payload in now.items():
            if self._told.get(topic) != payload:
                self._say(topic, payload)
        for topic in self._told.keys() - now.keys() - {status_topic(self._settings)}:
            self._say(topic, b"")
            del self._told[topic]

    def _say(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, retain=True)
        self._told[topic] = payload

    def _tell(self, news: News) -> None:
        self._client.publish(table_topic(self._settings, news.table, EVENT), msgspec.json.encode(news))
        self._outbox.sent += 1

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            note(_LOG, logging.WARNING, "refused", broker=self._settings.host, why=reason)
            return
        note(_LOG, logging.INFO, "connected", broker=self._settings.host)
        if self._settings.answers:
            client.subscribe(f"{self._settings.topic}/+/{ANSWER}")
        self._connections += 1
        self._connected.set()
        self._outbox.wake()

    def _on_connect_fail(self, _: Client, __: Any) -> None:
        note(_LOG, logging.WARNING, "not reached", broker=self._settings.host)

    def _on_disconnect(self, _: Client, __: Any, ___: Any, reason: Any, ____: Any) -> None:
        self._connected.clear()
        if not self._closing.is_set():
            note(_LOG, logging.WARNING, "away", broker=self._settings.host, why=reason)

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        """Handles an answer. A retained answer is an old one that the broker repeats, so it is ignored."""
        if message.retain or message.payload != PUT_BACK:
            return
        table = message.topic.removeprefix(f"{self._settings.topic}/").removesuffix(f"/{ANSWER}")
        for name, sessions in self._news.session_managers().items():
            alert = None if sessions.table is None else sessions.table.session.alert
            if slug(name) == table and alert is not None and isinstance(alert.verdict, Refused):
                note(_LOG, logging.INFO, "put back", table=name, alert=alert.number)
                sessions.eyes.look_again()
