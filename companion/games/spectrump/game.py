"""The game object of Spectrump, which the command line, the page and the journal use."""

from __future__ import annotations

from typing import Any

from companion.core.capabilities import WHOLE, Heuristics, Horizon, Proposer
from companion.core.contract import Drawn, Event, ScoreLine, Shown
from companion.core.foundation.errors import BadEvent, BadNotation, BadOptions, GameOver
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game, drawn_from
from companion.games.shared.cards.deck import NUMBER
from companion.games.shared.cards.deck_events import card_words
from companion.games.spectrump import hidden, position, trick
from companion.games.spectrump import moves as notation
from companion.games.spectrump.moves import Bid, Play, SpectrumpEvent
from companion.games.spectrump.options import SHAPES
from companion.games.spectrump.options import Options as SpectrumpOptions
from companion.games.spectrump.situation import COLOR_NUMBER
from companion.games.spectrump.state import SpectrumpState, infer_event


def words(state: SpectrumpState, event: Event) -> dict[str, Any] | None:
    """Returns the event in the words of a recording; None for dealt or shown cards."""
    if isinstance(event, Drawn | Shown):
        return None
    return {"type": type(event).__name__.lower(), **card_words(event)}


def _fit(seats: int, options: SpectrumpOptions) -> None:
    if seats not in SHAPES[options.deck]:
        raise BadOptions(f"Spectrump is for 2, 4, 6 or 8 players, not {seats} (UMP-1).")
    if options.partners and seats == 2:
        raise BadOptions("Partners need four players or more (UMP-2). Leave partners off.")


def _checked(event: SpectrumpEvent) -> SpectrumpEvent:
    if isinstance(event, Bid) and event.color not in COLOR_NUMBER:
        raise BadNotation(f'"{event.color}" is no color of the wheel.')
    return event


def _looks_alike(state: SpectrumpState, one: SpectrumpEvent, other: SpectrumpEvent) -> bool:
    """True if two events leave the same table: two bids, for instance."""
    if one == other or (isinstance(one, Bid) and isinstance(other, Bid)):
        return True
    try:
        return state.apply_unchecked(one).layout() == state.apply_unchecked(other).layout()
    except (BadEvent, GameOver):
        return False


def _score_breakdown(state: SpectrumpState, event: SpectrumpEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event, line by line: the winner of a complete trick and why, and each card."""
    if not isinstance(event, Play) or state.phase != "play" or len(state.trick) + 1 < len(state.sets):
        return ()
    judged = trick.judge(state.trump, (*state.trick, NUMBER[event.card]))
    taker = (state.leader + judged.winner) % len(state.sets)
    return (ScoreLine(0, judged.rule, f"player {taker + 1} takes the trick: {judged.reason}"), *judged.lines)


SPECTRUMP: Game[SpectrumpState] = card_game(
    GameInfo("spectrump", "Spectrump", rules=1, seats=range(2, 9, 2), seats_rule="UMP-1", Options=SpectrumpOptions),
    Positions(SpectrumpState, position.start, position.read, position.check, fit=_fit),
    EventCodec(SpectrumpEvent, notation.text_of, notation.parse, words, plain=deck_events.plain, canonical=_checked),
    hidden,
    Capabilities(
        chance=drawn_from(lambda state: state.pool),
        proposer=Proposer(infer_event=infer_event, looks_alike=_looks_alike),
        score_breakdown=_score_breakdown,
        heuristics=Heuristics(
            horizon=Horizon(WHOLE, hand=lambda state: (len(state.rounds), state.session, state.playing))
        ),
    ),
)
"""The game object of Spectrump."""
