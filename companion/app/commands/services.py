"""The options of `serve` for news to outside programs, and the services that run beside the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from msgspec import Struct

from companion.app.commands.options import ADDRESS, PATH, SECRET
from companion.app.services.hooks import Hook, check_addresses
from companion.core.foundation.logs import LEVELS, EventLog, Level, LogSettings
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.referee.news.news_publisher import NewsPublisher

if TYPE_CHECKING:
    from companion.app.services.mqtt import MqttSettings

F = TypeVar("F", bound=Callable[..., Any])

STANDARD_ERROR = Path("-")


class RunningServices(Struct, frozen=True):
    """The services that run beside the tables."""

    news: NewsPublisher
    log: EventLog


class Services(Struct, frozen=True):
    """The requested services: log, broker, hooks."""

    log: LogSettings
    mqtt: MqttSettings | None
    hooks: tuple[SecretAddress, ...]
    hook_secret: Secret | None

    @contextmanager
    def running(self, journal: Path) -> Iterator[RunningServices]:
        """Runs the log, the broker and the hooks of a house with this journal.

        Raises:
            CompanionError: The log cannot be written, or a package is missing.
        """
        path = self.log.path or journal.with_name(journal.name + ".log")
        settings = LogSettings(
            path=None if path == STANDARD_ERROR else path,
            level=self.log.level,
            as_json=self.log.as_json,
            most_bytes=self.log.most_bytes,
            kept=self.log.kept,
        )
        with ExitStack() as stack:
            log = stack.enter_context(EventLog(settings))
            for secret in (self.hook_secret, None if self.mqtt is None else self.mqtt.password):
                log.hide(None if secret is None else secret.reveal())
            news = stack.enter_context(NewsPublisher())
            if self.mqtt is not None:
                from companion.app.services.mqtt import MqttService

                stack.enter_context(MqttService(self.mqtt, news))
            if self.hook_secret is not None:
                for address in self.hooks:
                    stack.enter_context(Hook(address, self.hook_secret, news))
            yield RunningServices(news, log)


_OPTIONS = (
    click.option(
        "--log",
        "log_path",
        type=PATH,
        metavar="FILE",
        help="Keep the log in this file; - for standard error.  [default: beside the journal]",
    ),
    click.option(
        "--log-level", type=click.Choice(LEVELS), default="info", show_default=True, help="Lowest level in the log."
    ),
    click.option("--log-json", is_flag=True, help="Write one JSON object on each line of the log."),
    click.option(
        "--log-bytes",
        type=click.IntRange(10_000),
        default=1_000_000,
        show_default=True,
        metavar="N",
        help="Size in bytes at which a new log file begins.",
    ),
    click.option(
        "--log-kept",
        type=click.IntRange(0),
        default=5,
        show_default=True,
        metavar="N",
        help="Number of old log files to keep.",
    ),
    click.option(
        "--mqtt",
        type=ADDRESS,
        metavar="ADDRESS",
        help="Publish to this MQTT broker: mqtt://USER@HOST:PORT, mqtts:// with TLS.",
    ),
    click.option(
        "--mqtt-password",
        type=SECRET,
        metavar="TEXT",
        help="Password for the broker; better in the file or the environment.",
    ),
    click.option("--mqtt-ca", type=PATH, metavar="FILE", help="File of certificates that verify the broker."),
    click.option("--mqtt-topic", default="companion", show_default=True, metavar="TEXT", help="Prefix of all topics."),
    click.option(
        "--mqtt-discovery",
        default="homeassistant",
        show_default=True,
        metavar="TEXT",
        help="Discovery prefix of Home Assistant; none: no discovery.",
    ),
    click.option("--mqtt-answers", is_flag=True, help='Accept the answer "it was put back" by message.'),
    click.option(
        "--hook", "hooks", type=ADDRESS, multiple=True, metavar="URL", help="Send events to this address; repeatable."
    ),
    click.option(
        "--hook-secret",
        type=SECRET,
        metavar="TEXT",
        help="Secret that signs events; better in the file or the environment.",
    ),
)


def with_services(command: F) -> F:
    """Adds the options of `Services` to a command, which receives them as `services`."""

    @wraps(command)
    def called(
        *,
        log_path: Path | None,
        log_level: Level,
        log_json: bool,
        log_bytes: int,
        log_kept: int,
        mqtt: SecretAddress | None,
        mqtt_password: Secret | None,
        mqtt_ca: Path | None,
        mqtt_topic: str,
        mqtt_discovery: str | Literal["none"],
        mqtt_answers: bool,
        hooks: tuple[SecretAddress, ...],
        hook_secret: Secret | None,
        **others: Any,
    ) -> Any:
        check_addresses(hooks, hook_secret)
        broker = None
        if mqtt is not None:
            from companion.app.services.mqtt import parse_broker

            broker = parse_broker(
                mqtt,
                password=mqtt_password,
                ca=mqtt_ca,
                topic=mqtt_topic,
                discovery=None if mqtt_discovery == "none" else mqtt_discovery,
                answers=mqtt_answers,
            )
        log = LogSettings(log_path, log_level, log_json, log_bytes, log_kept)
        return command(services=Services(log, broker, hooks, hook_secret), **others)

    for option in reversed(_OPTIONS):
        option(called)
    return called  # type: ignore[return-value]
