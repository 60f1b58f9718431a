"""The options of Spectrum: each with its default and a sentence for the page.

The variants of VAR-1 to VAR-30 combine freely. An option that has no effect without another one is refused alone, so
that players cannot choose a rule that does not apply.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadOptions
from companion.core.pieces import PRIMARIES
from companion.games.shared.forms.player_colors import chosen_colors

PAWNS = 10
"""The number of pawns of a color (BRD-5)."""
SOLO_PAWNS = 12
"""The number of pawns of a single player (BRD-35)."""
STARS_NEEDED = {1: 12, 2: 7, 3: 5, 4: 4, 5: 3, 6: 3}
"""Number of players to the number of stars that wins (BRD-5, BRD-35)."""
MOST_WITH_BOTH = 5
"""The largest number of players for three primary missions and three primary portals each from 30 primary cards
(VAR-30).
"""


class Options(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """The options of Spectrum."""

    colors: Annotated[
        str,
        Meta(
            title="Who has which pawns?",
            max_length=80,
            description="Pawn colors by player, separated by commas: blue,purple. One player alone names the colors "
            "that share the twelve pawns. Empty: red, orange, yellow, green, blue, purple in the order of the seats. "
            "BRD-5, BRD-35.",
        ),
    ] = ""
    first: Annotated[
        int,
        Meta(
            title="Which player begins?",
            ge=1,
            le=6,
            description="Which player begins, counted from 1. BRD-5.",
            extra_json_schema={"seats": "most"},
        ),
    ] = 1
    dice: Annotated[
        Literal["d6", "d12"],
        Meta(
            title="Which dice?",
            description="The colors on the dice. BRD-34.",
            extra_json_schema={"labels": {"d6": "with the six primaries", "d12": "with all twelve colors"}},
        ),
    ] = "d6"
    special_order: Annotated[
        Literal["printed", "free"],
        Meta(
            title="In which order are special rolls played?",
            description="The parts of a special roll are moves with colors of their own. BRD-12.",
            extra_json_schema={"labels": {"printed": "in the printed order", "free": "in any order"}},
        ),
    ] = "printed"
    self_capture: Annotated[
        bool, Meta(title="Can you capture your own pawns?", description="Landing on an own pawn captures it. BRD-30.")
    ] = False
    self_jump: Annotated[
        bool, Meta(title="Can you jump your own pawns?", description="Own pawns may be jumped too. BRD-31.")
    ] = False
    surrender: Annotated[
        bool,
        Meta(
            title="Can you send a pawn home instead of rolling?",
            description="Instead of rolling, an own pawn may go back to the stock. BRD-32.",
        ),
    ] = False
    speed_rule: Annotated[
        bool,
        Meta(
            title="Another turn after a special roll?",
            description="Whoever has used a special roll rolls and plays once more. BRD-33.",
        ),
    ] = False
    solo_without: Annotated[
        Literal["nothing", "capture", "jump", "both"],
        Meta(
            title="Playing alone, what is not allowed?",
            description="Alone, you may capture and jump your own pawns; forbid it as a challenge. BRD-35.",
            extra_json_schema={
                "labels": {
                    "nothing": "nothing",
                    "capture": "capturing your own pawns",
                    "jump": "jumping your own pawns",
                    "both": "both",
                }
            },
        ),
    ] = "nothing"
    shotgun: Annotated[
        Literal["off", "cards", "d12"],
        Meta(
            title="Shotgun start?",
            description="Six pawns of each player stand on the board before the first turn. VAR-1, VAR-2.",
            extra_json_schema={
                "labels": {"off": "no", "cards": "yes, with cards", "d12": "yes, with twelve-sided dice"}
            },
        ),
    ] = "off"
    cards_as_dice: Annotated[
        bool, Meta(title="Cards instead of dice?", description="Cards numbered 1, 2 and 3 replace the dice. VAR-6.")
    ] = False
    swap_cards: Annotated[
        bool,
        Meta(
            title="With color swap cards?",
            description="The six color swap cards are shuffled in; only where cards replace the dice. VAR-16.",
        ),
    ] = False
    weighted: Annotated[
        bool,
        Meta(title="Do colors have weights?", description="Every color has a weight, and weights are points. VAR-18."),
    ] = False
    weights: Annotated[
        Literal["piles", "deck"],
        Meta(
            title="Where do the weights come from?",
            description="This counts only if colors have weights. VAR-17.",
            extra_json_schema={"labels": {"piles": "from piles of 3 to 7", "deck": "from the whole deck, 1 to 12"}},
        ),
    ] = "piles"
    weighted_end: Annotated[
        Literal["all", "target"],
        Meta(
            title="When does a game with weights end?",
            description="This counts only if colors have weights. VAR-18.",
            extra_json_schema={
                "labels": {"all": "when all twelve colors are captured", "target": "at the usual number of stars"}
            },
        ),
    ] = "all"
    missions: Annotated[
        bool, Meta(title="With secret missions?", description="Five of six secret spaces held win as well. VAR-20.")
    ] = False
    portals: Annotated[
        bool, Meta(title="With secret portals?", description="Secret spaces send the pawns on them elsewhere. VAR-23.")
    ] = False

    @property
    def secret_cards(self) -> bool:
        """True if the 60 cards 3 to 7 are in use (VAR-19, VAR-22)."""
        return self.missions or self.portals


def teams_of(seats: int, options: Options) -> tuple[tuple[str, ...], ...]:
    """Returns the colors of each seat's pawns; a single player has several.

    Raises:
        BadOptions: The number of seats, the colors or a combination of options is not possible.
    """
    if not 1 <= seats <= len(PRIMARIES):
        raise BadOptions(f"Spectrum has 1 to {len(PRIMARIES)} players, not {seats} (BRD-5). Choose their number.")
    _check(seats, options)
    given = chosen_colors(options.colors, PRIMARIES, "pawn", "BRD-5")
    if len(set(given)) != len(given):
        raise BadOptions(f"{', '.join(given)} names a color twice (BRD-5). Give different colors.")
    if seats == 1:
        if len(given) == 1:
            raise BadOptions("One color has 10 pawns, and one player alone has 12 (BRD-35). Name two colors or more.")
        return (given or PRIMARIES[:2],)
    if given and len(given) != seats:
        raise BadOptions(f"{seats} players need {seats} colors, not {len(given)} (BRD-5). Give each player one.")
    return tuple((color,) for color in given or PRIMARIES[:seats])


def _check(seats: int, options: Options) -> None:
    """Raises `BadOptions` for options that contradict each other or the number of players."""
    if options.first > seats:
        raise BadOptions(f"Player {options.first} cannot begin among {seats} (BRD-5). Choose one who is there.")
    if options.swap_cards and not options.cards_as_dice:
        raise BadOptions(
            "Swap cards are shuffled into the cards that replace the dice (VAR-16). Let cards replace the dice."
        )
    if not options.weighted and (options.weights != "piles" or options.weighted_end != "all"):
        raise BadOptions("Weights and their end belong to weighted colors (VAR-17). Play with weighted colors.")
    if seats > 1 and options.solo_without != "nothing":
        raise BadOptions("To do without something is the challenge of one player alone (BRD-35). Leave it out.")
    if options.missions and options.portals and seats > MOST_WITH_BOTH:
        raise BadOptions(
            f"Missions and portals together take six primary cards for each of {seats} players, and there are 30: at "
            f"most {MOST_WITH_BOTH} can play so (VAR-30). Leave one of them out."
        )
    if seats == 1 and (options.weighted or options.secret_cards or options.shotgun != "off"):
        raise BadOptions(
            "Shotgun starts, weighted colors, missions and portals are played by 2 to 6 (BRD-35). Leave them out."
        )


def stock_of(seats: int, colors: tuple[str, ...]) -> dict[str, int]:
    """Returns the number of pawns of a seat by color (BRD-5, BRD-35); a single player's twelve are shared out."""
    if seats > 1:
        return dict.fromkeys(colors, PAWNS)
    each, more = divmod(SOLO_PAWNS, len(colors))
    return {color: each + (place < more) for place, color in enumerate(colors)}
