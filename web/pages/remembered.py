"""The pages of earlier games: wins by player, every game row by row, and files to download.

The server alone makes them; they need no scripts except for the rematch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from time import gmtime, strftime
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, make_response, render_template
from markupsafe import Markup
from msgspec.structs import replace
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from werkzeug.wrappers import Response as BaseResponse

from companion.core.foundation.errors import BadRecord, MoveError
from companion.core.foundation.kept_file import decode_json
from companion.core.foundation.words import Words
from companion.core.game import Game
from companion.referee.journal import Header, Journal, Row
from companion.referee.journal.lines import write_lines
from companion.referee.journal.sheet import score_sheet
from companion.referee.journal.timeline import Timeline, begin
from companion.referee.results.result import Result, counted_points, result_of
from companion.referee.results.store import Results
from companion.referee.results.tallies import lowest_wins, pairs, tallies
from companion.referee.session_manager import SessionManager
from companion.referee.telling import with_names
from web.admission.security import NotAllowed, role
from web.facts.options import OptionField, fields
from web.http.answers import NothingThere, number
from web.language.catalog import chosen
from web.privacy.export import entries
from web.scene.chart import chart
from web.scene.marks import Marks
from web.scene.shape import BoardFrame, Shape
from web.scene.signs import Sign, own_sign, signs, single_sign
from web.scene.svg import svg, translated
from web.views.seat_view import ranking
from web.views.table_view import TableView

# An earlier game of the journal: its positions one after the other, and files to download.
#
# Only public information is shown, even of games that are over. Only the host can download whole records of games with
# hidden cards.

_MARGIN_PT, _LINE_PT, _LETTERS = 45.0, 11.0, 92
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""The address by which BG Stats imports a play from another program; it asks its user before it saves anything."""


class OldGame:
    """One game of the journal, replayed by the present rules."""

    def __init__(self, game: Game[Any], journal: Journal, header: Header) -> None:
        """
        Raises:
            NothingThere: The present rules cannot follow the game.
            JournalError: The rows cannot be read.
        """
        self.game, self.header = game, header
        self.rows: tuple[Row, ...] = journal.rows(header.id)
        try:
            timeline: Timeline = begin(game, header)
            for row in self.rows:
                timeline = timeline.read(row)
        except (BadRecord, MoveError) as error:
            raise NothingThere(f"Today's rules cannot follow this game: {error} Use `companion replay`.") from error
        self.timeline = timeline

    @property
    def hides(self) -> bool:
        """True if the game has hands that other players must not see."""
        return self.game.has_private_hands

    def text(self, row: Row) -> str:
        """Returns a row's text as the public may read it."""
        if row.event is None or not self.hides:
            return row.text
        told = row.more.get("of", row.n) if row.kind == "correct" else row.n
        event = self.game.event(row.event)
        seen = self.game.redact(self.timeline.at(told - 1).state, event, None)
        if seen is None:
            return "enters something that stays hidden"
        return row.text if seen == event else self.game.text(seen)

    def sentence(self, n: int) -> str:
        """Returns the public text of row `n`, with people's names; 0 is the start."""
        if n == 0:
            return "The start of the game."
        row, names = self.rows[n - 1], self.header.names
        text = with_names(self.text(row), names)
        return text if row.seat is None or names[row.seat] in text else f"{names[row.seat]}: {text}"

    def sheet(self, words: Words = str) -> str:
        """Returns the score sheet in the game's notation; `words` translates its sentences."""
        rows = tuple(replace(row, text=self.text(row), event=None) for row in self.rows)
        return score_sheet(self.game.title, self.header, rows, self.timeline, words=words)

    def sheet_pdf(self, words: Words = str) -> bytes:
        """Returns the score sheet as a PDF on A4, with long lines broken."""
        out = BytesIO()
        canvas = Canvas(out, pagesize=A4)
        canvas.setTitle(f"{self.game.title}: {words('score sheet')}")
        height = A4[1] - 2 * _MARGIN_PT
        lines = [part for line in self.sheet(words).splitlines() for part in _parts(line)]
        per_page = int(height / _LINE_PT)
        for start in range(0, len(lines), per_page):
            canvas.setFont("Courier", 9)
            for i, line in enumerate(lines[start : start + per_page]):
                canvas.drawString(_MARGIN_PT, A4[1] - _MARGIN_PT - (i + 1) * _LINE_PT, line)
            canvas.showPage()
        canvas.save()
        return out.getvalue()

    def points(self, words: Words = str) -> str:
        """Returns the entries of the score sheet as CSV."""
        return entries(self.header.names, self.timeline.state, words)

    def whole(self) -> str:
        """Returns every row, chained, as JSON Lines."""
        return "".join(write_lines(self.header, self.rows))

    def record(self) -> str:
        """Returns the events that count, as a record that `companion judge` reads.

        Raises:
            NothingThere: A position was set up during the game, or draws were not entered; records have no form for
                either.
        """
        steps = self.timeline.steps()
        if self.header.draws == "unseen" or any(step.event is None for step in steps):
            raise NothingThere(
                "A record cannot have positions that were set up during the game, or draws that were not entered."
                " Take all rows as JSON Lines."
            )
        return json.dumps(
            {
                "game": self.header.game,
                "players": self.header.names,
                "options": self.header.options,
                **({} if self.header.position is None else {"position": self.header.position}),
                "events": [msgspec.to_builtins(step.event) for step in steps],
            },
            indent=1,
            ensure_ascii=False,
        )


def bg_stats(result: Result, title: str) -> str:
    """Returns the link that passes a finished game to BG Stats.

    Raises:
        NothingThere: The game is not finished.
    """
    if not result.finished:
        raise NothingThere("BG Stats takes finished games only. Go on with this one first.")
    place = {seat: number for number, seats in enumerate(result.places, 1) for seat in seats}
    play = {
        "sourceName": "Companion",
        "sourcePlayId": result.id,
        "playDate": strftime("%Y-%m-%d %H:%M:%S", gmtime(result.started + result.length_s)),
        "durationMin": max(1, round(result.length_s / 60)),
        "game": {"name": title, "sourceGameId": result.game, "highestWins": not lowest_wins(result.game)},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name.casefold(),
                "score": str(counted_points(result)[seat]),
                "rank": place.get(seat, len(result.places)),
                "winner": seat in result.winners,
            }
            for seat, name in enumerate(result.names)
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _parts(line: str) -> list[str]:
    return [line[start : start + _LETTERS] for start in range(0, max(1, len(line)), _LETTERS)]


LISTED = 200
"""The largest number of listed games; tallies count all games."""
CHARTED = 6
"""The number of players with a line in the chart of wins: those with the most wins."""
KINDS = ("csv", "sheet", "pdf", "jsonl", "record", "bgstats")
NOTES = ("refused", "asked", "hint", "commitment", "reveal", "seat", "clock")


def routes(view: TableView, results: Results | None) -> Blueprint:
    """Returns the routes `/results`, `/results/ID` and `/results/ID/export/KIND`."""
    blueprint = Blueprint("remembered", __name__, url_prefix="/results")

    def page(template: str, **more: Any) -> Response:
        data = decode_json(view.snapshot(None), dict[str, Any])
        return make_response(render_template(template, role=role(), data=data, **more))

    def title(game: str) -> str:
        known = view.sessions.games.get(game)
        return game if known is None else known.title

    def old(id_: str) -> OldGame:
        header = next((header for header in view.sessions.journal.games() if header.id == id_), None)
        if header is None or header.game not in view.sessions.games:
            raise NothingThere("There is no such game. Choose one of the results.")
        return OldGame(view.sessions.games[header.game], view.sessions.journal, header)

    @blueprint.get("")
    def overview() -> Response:
        """Returns all remembered games, players and pairs."""
        found = () if results is None else results.all()
        people = tallies(found)
        names = tuple({name: None for result in found for name in result.names})
        numbers = view.sessions.journal.people(names)
        return page(
            "results.html",
            games=[_shown(result, title(result.game)) for result in found[:LISTED]],
            people=[(tally, title(tally.game)) for tally in people if tally.games],
            pairs=pairs(found),
            signs={
                name.casefold(): Markup(svg(single_sign(own_sign(number, view.sessions.signs.of(name)))))
                for name, number in zip(names, numbers, strict=True)
            },
            chart=_wins(found, view.sessions),
        )

    @blueprint.get("/<id>")
    def one(id: str) -> Response:
        """Returns one game, as it was after `?row=`."""
        game = old(id)
        last = len(game.rows)
        n = number("row", last)
        if not 0 <= n <= last:
            raise NothingThere(f"The game has rows 1 to {last}. Choose one of them, or 0 for the start.")
        state = game.timeline.at(n).state
        shown, ended = _signs(view.sessions, game.header.names), game.timeline.state.outcome()
        frame = BoardFrame("old", f"{game.game.title} board after row {n}", live=False, names=game.header.names)
        board = view.presenter(game.game).board(game.game.view(state, None), Marks(signs=shown), frame)
        undone = game.timeline.undone()
        totals = [
            (0, (0,) * len(game.header.names)),
            *((row.n, row.scores) for row in game.rows if row.n not in undone and row.kind not in NOTES),
        ]
        return page(
            "result.html",
            result=_shown(result_of(game.header, game.rows, game.timeline), game.game.title),
            options=[
                (field.title, _option_words(field, value))
                for field in fields(game.game.Options)
                if (value := game.header.options.get(field.name, "")) != ""
            ],
            n=n,
            last=last,
            row="" if n == last and ended is not None else game.sentence(n),
            ranking=[
                {**line, "gap": f"{line['gap']:+g}".replace("-", "\u2212") if line.get("gap") else ""}
                for line in (
                    ()
                    if ended is None or len(game.header.names) == 1
                    else ranking(
                        ended.places,
                        game.header.names,
                        [score.total for score in game.timeline.state.scores()],
                        scored=game.game.lead != "nothing",
                    )
                )
            ],
            signs=[Markup(svg(single_sign(sign))) for sign in shown],
            scores=[score.total for score in state.scores()],
            board=_drawn(board, game.header.names),
            chart=""
            if game.game.lead == "nothing"
            else _drawn(chart(game.header.names, shown, totals), game.header.names),
            outcome=ended,
            again={
                "game": game.header.game,
                "names": game.header.names,
                "options": game.header.options,
                "draws": game.header.draws,
            },
        )

    @blueprint.get("/<id>/export/<kind>")
    def export(id: str, kind: str) -> BaseResponse:
        """Returns a game as a file: `csv`, `sheet`, `pdf`, `jsonl`, `record` (for `companion judge`), or `bgstats`, a
        link.
        """
        if kind not in KINDS:
            raise NothingThere(f"There is no export of that kind. There are: {', '.join(KINDS)}.")
        game = old(id)
        if kind in ("jsonl", "record") and game.hides and role() != "host":
            raise NotAllowed("All rows together hold what players keep secret. Take it away on the host's machine.")
        if kind == "bgstats":
            response = make_response("", 302)
            response.headers["Location"] = bg_stats(result_of(game.header, game.rows, game.timeline), game.game.title)
            return response
        words = chosen().translate
        exports: dict[str, tuple[Callable[[], str | bytes], str, str]] = {
            "csv": (partial(game.points, words), "csv", "text/csv; charset=utf-8"),
            "sheet": (partial(game.sheet, words), "txt", "text/plain; charset=utf-8"),
            "pdf": (partial(game.sheet_pdf, words), "pdf", "application/pdf"),
            "jsonl": (game.whole, "jsonl", "application/jsonl; charset=utf-8"),
            "record": (game.record, "json", "application/json"),
        }
        write, suffix, type_ = exports[kind]
        headers = {"Content-Disposition": f'attachment; filename="{game.header.id}.{suffix}"'}
        return Response(write(), headers=headers, content_type=type_)

    return blueprint


def _shown(result: Result, title: str) -> dict[str, Any]:
    """Returns a result in words."""
    return {
        "id": result.id,
        "game": result.game,
        "title": title,
        "names": result.names,
        "scores": counted_points(result),
        "started": strftime("%Y-%m-%d %H:%M UTC", gmtime(result.started)),
        "at": result.started,
        "minutes": round(result.length_s / 60),
        "moves": result.moves,
        "finished": result.finished,
        "winners": [result.names[seat] for seat in result.winners],
        "refused": result.refused,
        "options": result.options,
    }


def _signs(sessions: SessionManager, names: Sequence[str]) -> tuple[Sign, ...]:
    """Returns the signs of people who are shown together."""
    return signs(sessions.journal.people(names), map(sessions.signs.of, names))


def _wins(results: tuple[Result, ...], sessions: SessionManager) -> Markup | None:
    """Returns a chart of players' wins, game after game; None before the first win."""
    counts: dict[str, int] = {}
    shown: dict[str, str] = {}
    history: list[dict[str, int]] = []
    for result in sorted(results, key=lambda result: result.started):
        if not result.winners:
            continue
        for name in result.names:
            shown[name.casefold()] = name
            counts.setdefault(name.casefold(), 0)
        for seat in result.winners:
            counts[result.names[seat].casefold()] += 1
        history.append(dict(counts))
    if not history:
        return None
    most = sorted(counts, key=lambda name: (-counts[name], name))[:CHARTED]
    totals = [(0, (0,) * len(most)), *((n, [now.get(name, 0) for name in most]) for n, now in enumerate(history, 1))]
    names = tuple(shown[name] for name in most)
    return _drawn(chart(names, _signs(sessions, names), totals, what="Wins", each="game"), names)


def _drawn(scene: Shape, names: Sequence[str]) -> Markup:
    """Returns a picture in the language of the request; people's names are not translated."""
    catalog = chosen()
    return Markup(svg(translated(scene, lambda text: text if text in names else catalog.with_names(text, names))))


def _option_words(field: OptionField, value: Any) -> str:
    """Returns the value of an option as the page shows it."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return (field.labels or {}).get(str(value), str(value))
