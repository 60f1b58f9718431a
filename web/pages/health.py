"""The health of the server for monitoring programs: `/healthz` for supervisors, `/metrics` for Prometheus.

Neither reveals anything about a game. A lost camera is no reason for a restart, so `/healthz` answers 503 only if games
cannot be saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from flask import Blueprint, Response

from companion import __version__
from companion.core.foundation.errors import JournalError
from companion.referee.meter import BOUNDS_S
from companion.referee.news.news_publisher import NewsPublisher
from companion.referee.session_manager import SessionManager
from web.http.answers import NothingThere, json_answer

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

PAUSED = "This table is paused."
"""The reason for a closed table that the configuration has paused."""
UNWELL = "A journal cannot be written or read. The page says why; make room, or see that its folder may be written."


def routes(tables: Callable[[], Mapping[str, SessionManager | str]], news: NewsPublisher | None) -> Blueprint:
    """Returns the routes `/healthz` and `/metrics`.

    Args:
        tables: Returns every configured table by name: its games, or the reason why it is closed. It is called once for
            each answer, so a table that opens meanwhile is in the answer, too.
        news: The publisher that counts waiting news by receiver; None: there are no receivers.
    """
    blueprint = Blueprint("health", __name__)

    @blueprint.get("/healthz")
    def health() -> Response:
        """Returns the state of the journals and of each configured table."""
        states = {name: _shut(one) if isinstance(one, str) else _table(one) for name, one in tables().items()}
        kept = all(state.get("kept", True) for state in states.values())
        well = all(state["state"] != "closed" for state in states.values())
        told = {"ok": kept and well, "version": __version__, "tables": states}
        # The server itself opens a closed table again; a restart would only end the other games.
        return json_answer(told if kept else {**told, "error": UNWELL}, 200 if kept else 503)

    @blueprint.get("/metrics")
    def metrics() -> Response:
        """Returns the numbers of every table, in the text form of Prometheus."""
        if find_spec("prometheus_client") is None:
            raise NothingThere(
                'The numbers need the package prometheus-client: pip install "tabletop-companion[metrics]".'
            )
        from prometheus_client import CollectorRegistry
        from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

        registry = CollectorRegistry(auto_describe=False)
        session_managers = {name: one for name, one in tables().items() if not isinstance(one, str)}
        registry.register(_Numbers(session_managers, news))
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    return blueprint


def _table(sessions: SessionManager) -> dict[str, object]:
    told: dict[str, object] = {
        "state": "open",
        "kept": sessions.trouble is None,
        "camera": sessions.eyes.status().state,
    }
    if sessions.delivery is not None:
        told["database"] = sessions.delivery.status().state
    devices = {device.name: device.state for device in sessions.devices.statuses()}
    if devices:
        told["devices"] = devices
    try:
        sessions.journal.games()
    except JournalError:
        told["kept"] = False
    return told


def _shut(why: str) -> dict[str, object]:
    return {"state": "paused"} if why == PAUSED else {"state": "closed", "why": why}


class _Numbers:
    """The figures that Prometheus collects, computed on each request."""

    def __init__(self, session_managers: Mapping[str, SessionManager], news: NewsPublisher | None) -> None:
        self._session_managers, self._news = session_managers, news

    def collect(self) -> Iterator[Metric]:
        """Yields each figure with a line of help."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        latency = HistogramMetricFamily(
            "companion_verdict_seconds", "From a steady picture to its verdict.", labels=["table"]
        )
        verdicts = CounterMetricFamily(
            "companion_verdicts", "Verdicts on steady pictures.", labels=["table", "verdict"]
        )
        pictures = CounterMetricFamily("companion_pictures", "Pictures of the camera.", labels=["table"])
        lost = CounterMetricFamily(
            "companion_pictures_lost", "Pictures that came while one was read.", labels=["table"]
        )
        sees = GaugeMetricFamily("companion_camera_state", "1 for the state that it is in.", labels=["table", "state"])
        rows = GaugeMetricFamily("companion_rows", "Rows of the game on the table.", labels=["table"])
        alert = GaugeMetricFamily("companion_alert_open", "1 while people are asked or told.", labels=["table"])
        for name, sessions in self._session_managers.items():
            seen, table, timing = sessions.eyes.status(), sessions.table, sessions.meter.latency()
            ends = [*(f"{bound:g}" for bound in BOUNDS_S), "+Inf"]
            buckets = list(zip(ends, (*timing.counts, timing.count), strict=True))
            latency.add_metric([name], buckets, timing.total_s)
            for verdict, count in sorted(sessions.meter.verdicts().items()):
                verdicts.add_metric([name, verdict], count)
            pictures.add_metric([name], seen.frame)
            lost.add_metric([name], seen.lost)
            sees.add_metric([name, seen.state], 1)
            rows.add_metric([name], 0 if table is None else table.session.seq)
            alert.add_metric([name], 0 if table is None or table.session.alert is None else 1)
        yield from (latency, verdicts, pictures, lost, sees, rows, alert)
        yield from self._databases()
        yield from self._devices()
        yield from self._news_numbers()

    def _databases(self) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        answers = GaugeMetricFamily("companion_database_up", "1 while the database takes rows.", labels=["table"])
        waiting = GaugeMetricFamily("companion_database_waiting", "Games that wait to be delivered.", labels=["table"])
        refused = GaugeMetricFamily(
            "companion_database_refused", "Games of which the database has other rows.", labels=["table"]
        )
        brought = CounterMetricFamily("companion_database_rows", "Rows that were delivered.", labels=["table"])
        for name, sessions in self._session_managers.items():
            if sessions.delivery is not None:
                status = sessions.delivery.status()
                answers.add_metric([name], 0 if status.state == "away" else 1)
                waiting.add_metric([name], status.waiting)
                refused.add_metric([name], len(status.refused))
                brought.add_metric([name], status.delivered)
        yield from (answers, waiting, refused, brought)

    def _devices(self) -> Iterator[Metric]:
        from prometheus_client.core import GaugeMetricFamily

        ready = GaugeMetricFamily("companion_device_ready", "1 while the device answers.", labels=["table", "device"])
        counts = GaugeMetricFamily("companion_device", "Counters of the device.", labels=["table", "device", "what"])
        for name, sessions in self._session_managers.items():
            for device in sessions.devices.statuses():
                ready.add_metric([name, device.name], 1 if device.state == "ready" else 0)
                for what, count in device.counters.items():
                    counts.add_metric([name, device.name, what], count)
        yield from (ready, counts)

    def _news_numbers(self) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        if self._news is None:
            return
        told = CounterMetricFamily(
            "companion_told_rows", "Rows since the start, `asked`: questions.", labels=["table", "kind"]
        )
        waiting = GaugeMetricFamily("companion_queue_length", "News that wait to be sent.", labels=["to"])
        sent = CounterMetricFamily("companion_queue_sent", "News that were sent.", labels=["to"])
        dropped = CounterMetricFamily("companion_queue_dropped", "News that did not fit.", labels=["to"])
        for name in self._session_managers:
            for kind, count in sorted(self._news.rows(name).items()):
                told.add_metric([name, kind], count)
        for outbox in self._news.outboxes():
            waiting.add_metric([outbox.name], len(outbox))
            sent.add_metric([outbox.name], outbox.sent)
            dropped.add_metric([outbox.name], outbox.dropped)
        yield from (told, waiting, sent, dropped)
