"""The process that searches for a move: it reads one question from standard input and writes one move to standard
output (`companion.referee.players.coach`).
"""

from __future__ import annotations

import os
import sys
from random import Random

import msgspec

from companion.core.foundation.kept_file import decode_json
from companion.games import GAMES
from companion.referee.players.coach import Question
from companion.referee.players.searching import Searching

_NICE = 10
"""The added niceness of this process, because verdicts have priority on every core."""


def answer(question: bytes) -> bytes:
    """Returns the chosen move as JSON."""
    asked = decode_json(question, Question)
    game = GAMES[asked.game]
    state = game.load(bytes(asked.state))
    move = Searching(asked.budget_s).choose(game, state, asked.seat, Random(asked.seed))
    return msgspec.json.encode(move)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_NICE)
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
