"""The five lessons. Every position is reached by the notation of its game, so the rules themselves check it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Task = Literal["move", "refused", "question"]
"""The task of a scene: make a legal move, see an illegal move refused, or answer a question of the referee."""


class LessonScene(Struct, frozen=True):
    """One position, and one thing to do in it."""

    task: Task
    before: tuple[str, ...]
    """The earlier events in the game's notation, which lead from the start of the game to the position."""
    say: str
    """The text that the learner reads before the task."""
    then: str
    """The text that the learner reads after the task."""
    shown: tuple[str, ...] = ()
    """The events of the lesson itself, in the game's notation: an illegal move, or two events between which the camera
    cannot decide. Empty: the learner makes all moves."""
    told: bool = False
    """True if the events are entered as on the page, and not read by the camera."""


class Lesson(Struct, frozen=True):
    """A lesson for one kind of game."""

    kind: str
    title: str
    about: str
    """A sentence that names the games of this kind."""
    game: str
    names: tuple[str, ...]
    scenes: tuple[LessonScene, LessonScene, LessonScene]


_PUT_BACK = "Read the rule in the bar; its number leads to its text. Then answer that it was put back."
_ASKED = "The referee does not guess. Choose in the bar what really happened; here every answer is right."
_REFUSED = "Nothing was changed: a move that is not allowed is named with its rule, and play goes on from where it was."
_ANSWERED = "Your answer is in the history. That is all: set up a game and play."

_HANDS = (
    "player 1 draws YYP4",
    "player 2 draws RGY3",
    "player 1 draws GRB3",
    "player 1 draws BYG1",
    "player 1 draws BBB6",
    "player 2 draws RRG4",
    "player 2 draws PPR4",
    "player 2 draws GRP1",
)
_TILES = Lesson(
    "tiles",
    "Tiles",
    "For Spectrangle.",
    "spectrangle",
    ("Ada", "Ben"),
    (
        LessonScene(
            "move",
            _HANDS,
            "Ada begins. Tap a tile of her hand, then one of the cells that light up, and lay it there.",
            "The tile is placed, its points are counted, and the rule for them is in the history.",
        ),
        LessonScene(
            "refused",
            _HANDS,
            "Now Ada lays the blue six on a cell with a bonus, where a game must not begin.",
            _REFUSED,
            ("BBB6 c2 BBB",),
        ),
        LessonScene(
            "question",
            _HANDS,
            "Now Ada lays a tile in bad light: the camera cannot tell which of two it is.",
            _ANSWERED,
            ("BBB6 c0 BBB", "YYP4 c0 YYP"),
        ),
    ),
)

_ROCKS = (
    "player 1 draws blue rock",
    "player 1 places blue large on the table",
    "player 2 draws green rock",
    "player 2 places green large on the table",
    "player 1 draws red rock",
    "player 1 places red large on the table",
    "player 2 draws cyan rock",
)
_PYRAMIDS = Lesson(
    "pyramids",
    "Pyramids",
    "For Ice Stalks, Spectra and Regenbogen.",
    "ice-stalks",
    ("Ada", "Ben"),
    (
        LessonScene(
            "move",
            _ROCKS,
            "Ben has drawn the cyan rock. Choose a size and a stalk that it may go on, and place it.",
            "The pyramid is placed. The referee has checked color and size, as it does with what the camera sees.",
        ),
        LessonScene(
            "refused",
            _ROCKS,
            "Now Ben places his cyan pyramid on the red one, which is not a neighboring color.",
            _REFUSED,
            ("player 2 places cyan large on red large",),
        ),
        LessonScene(
            "question",
            _ROCKS,
            "Now Ben places a pyramid, and the camera cannot tell whether it is a large or a medium one.",
            _ANSWERED,
            ("player 2 places cyan large on blue large", "player 2 places cyan medium on blue large"),
        ),
    ),
)

_DICE = ("rolls d6 green blue blue purple, d12 blue purple-red red yellow-green purple-red",)
_BOARD = Lesson(
    "board",
    "A board with dice",
    "For Spectrum and Spectrum Escape.",
    "escape",
    ("Ada", "Ben"),
    (
        LessonScene(
            "move",
            _DICE,
            "The dice are rolled and Ada begins. Choose one of the moves that they open, and play it.",
            "The pawn stands on its space, and the die is used.",
        ),
        LessonScene(
            "refused",
            _DICE,
            "Now Ada moves a pawn by a common die further than it goes.",
            _REFUSED,
            ("player 1 plays common blue to 2",),
        ),
        LessonScene(
            "question",
            _DICE,
            "Now Ada moves one pawn, and a hand hides which one it was.",
            _ANSWERED,
            ("player 1 plays personal green to 1", "player 1 plays common blue to 1"),
        ),
    ),
)

_SHEET = Lesson(
    "sheet",
    "Dice and a sheet",
    "For Roll & Color.",
    "roll-and-color",
    ("Ada",),
    (
        LessonScene(
            "move",
            _DICE,
            "Ada has rolled. Choose a row of the sheet that is free, and enter what the dice show.",
            "The entry is on the sheet, and the next roll is due.",
        ),
        LessonScene(
            "refused",
            _DICE,
            "Now Ada enters five blue dice, though the dice show fewer.",
            _REFUSED,
            ("player 1 enters 5 in blue",),
            told=True,
        ),
        LessonScene(
            "question",
            (),
            "Now Ada rolls, and one die lies so that the camera cannot tell its color.",
            _ANSWERED,
            (
                "rolls d6 green blue blue purple, d12 blue purple-red red yellow-green purple-red",
                "rolls d6 yellow blue blue purple, d12 blue purple-red red yellow-green purple-red",
            ),
        ),
    ),
)

_PILES = ("turned up O11, G7, Y6, GB3, GB7, R10, R2, P1, OY2, O10, PR12, YG8",)
_CARDS = Lesson(
    "cards",
    "Cards",
    "For Solitaire, Casino, 500, Cribbage, Spectrump, Spectrumo and Poker.",
    "solitaire",
    ("Ada",),
    (
        LessonScene(
            "move",
            _PILES,
            "The cards are dealt. Tap the orange ten, then the first pile with the orange eleven, and move it there.",
            "The move is taken. Cards are turned up by it, and the referee waits to hear which.",
        ),
        LessonScene(
            "refused",
            _PILES,
            "Now a green seven is to go on the orange eleven, which is neither next in rank nor related in color.",
            _REFUSED,
            ("G7 on pile 1",),
            told=True,
        ),
        LessonScene(
            "question",
            (*_PILES, "O10 on pile 1"),
            "A card was turned up, and the referee asks which. Choose any card and enter it.",
            _ANSWERED,
        ),
    ),
)

LESSONS: dict[str, Lesson] = {one.kind: one for one in (_TILES, _PYRAMIDS, _BOARD, _SHEET, _CARDS)}
"""The lessons by kind of game."""

ADVICE = {"refused": _PUT_BACK, "question": _ASKED}
"""The text that the learner reads while the matter of the scene is open."""
