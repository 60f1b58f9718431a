"""The MQTT topics of a table's state, and their discovery messages for Home Assistant.

All of these are retained and describe the present; events are in `.../event`, which never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from companion import __version__
from companion.app.services.mqtt_settings import MqttSettings
from companion.referee.news import Bulletin

STATUS, EVENT, ANSWER = "status", "event", "answer"
ONLINE, OFFLINE = b"online", b"offline"
PUT_BACK = b"put-back"

_VERBS = {"move": "to move", "draw": "to draw", "roll": "to roll"}


def status_topic(settings: MqttSettings) -> str:
    """Where it is said whether the referee is there."""
    return f"{settings.topic}/{STATUS}"


def table_topic(settings: MqttSettings, table: str, what: str) -> str:
    """A topic of one table."""
    return f"{settings.topic}/{slug(table)}/{what}"


def slug(table: str) -> str:
    """A table's name as it may stand in a topic."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", table).strip("-") or "table"


def standing(settings: MqttSettings, now: Bulletin) -> Iterator[tuple[str, bytes]]:
    """Each retained topic of one table with what it says now."""
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
    """The discovery messages for a table: binary sensors, sensors, and a button if answers are allowed."""
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
