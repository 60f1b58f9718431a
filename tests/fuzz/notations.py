"""Lines of notation: what is printed reads back as the same event, and any other text is refused in a sentence."""

from __future__ import annotations

from random import Random

import msgspec

from companion.core.foundation.errors import AmbiguousMove, BadNotation, MoveError
from tests.fuzz.played import any_case, some_events
from tests.fuzz.spoiling import WORDS, spoiled, spoiled_line


def one(rng: Random) -> None:
    """One game, a few lines and objects of it, right and spoiled."""
    case, start = any_case(rng)
    game = case.game
    events, states = some_events(start, rng, 12)
    for state, event in list(zip(states, events, strict=False))[-3:]:
        line = game.text(event)
        assert game.parse(state, line) == event, (game.name, line)
        assert game.event(msgspec.to_builtins(event)) == event, (game.name, event)
        wrong = spoiled_line(rng, line)
        if rng.random() < 0.2:
            wrong = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 9)))
        try:
            read = game.parse(state, wrong)
        except (BadNotation, AmbiguousMove) as error:
            assert str(error)
        else:
            judged(state, read)
            game.text(read)
        try:
            told = game.event(spoiled(rng, msgspec.to_builtins(event)))
        except BadNotation as error:
            assert str(error)
        else:
            game.text(told)
            judged(state, told)


def judged(state: object, event: object) -> None:
    """Any event can be explained, and is carried out or refused for the same reasons."""
    breaches = state.violations(event)  # type: ignore[attr-defined]
    try:
        state.apply(event)  # type: ignore[attr-defined]
    except MoveError as error:
        assert breaches and all(breach.text in str(error) for breach in breaches), (event, breaches, error)
    else:
        assert not breaches, (event, breaches)
