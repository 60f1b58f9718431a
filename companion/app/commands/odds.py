"""`companion odds`: counts the hands of each category exactly, for both rankings of Spectrum Poker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import click
import msgspec

from companion.core.foundation.errors import BadNotation, WrongUsage
from companion.games.poker.categories import RANKINGS, Category, RankingName
from companion.games.poker.odds import REAL, Cell, Odds, by_rarity, completions, odds, signatures
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS, RANK, numbers_of


@click.command("odds")
@click.argument("game", type=click.Choice(["poker"]))
@click.option("--known", default="", metavar="CARDS", help='Cards of the hand that are known, as in "R7 RO8".')
@click.option(
    "--seen", default="", metavar="CARDS", help="Cards that are known to be elsewhere, so that no draw gives them."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each ranking and category.")
def odds_command(game: str, known: str, seen: str, as_json: bool) -> int:
    """Count the five-card hands of Spectrum Poker exactly, by category, in both rankings.

    Exit status 1 if the counts do not add up to the number of hands.
    """
    held, gone = _cells(known, "--known"), _cells(seen, "--seen")
    found = signatures(REAL, held, gone)
    wrong = list(_faults(found, held, gone))
    tables = {name: odds(found, ranking) for name, ranking in RANKINGS.items()}
    if as_json:
        for line in _objects(tables):
            click.echo(line)
    else:
        click.echo(_text(tables, found, whole=not held and not gone))
    for fault in wrong:
        click.echo(f"companion odds: {fault}", err=True)
    return 1 if wrong else 0


def _cells(text: str, option: str) -> tuple[Cell, ...]:
    try:
        numbers = numbers_of(" ".join(text.replace(",", " ").split())) if text.strip() else ()
    except BadNotation as error:
        raise WrongUsage(f"{option}: {error}") from error
    if any(number is None or number >= NUMBER_CARDS for number in numbers):
        raise WrongUsage(f'{option} "{text}" names a card that is no number card. Write cards as in "R7 RO8".')
    return tuple((COLOR[number], RANK[number] - 1) for number in numbers if number is not None)


def _faults(found: Counter[int], held: tuple[Cell, ...], gone: tuple[Cell, ...]) -> Iterator[str]:
    """Yields a sentence if the total differs from the binomial coefficient."""
    expected = completions(REAL, held, gone)
    if found.total() != expected:
        yield f"the counts add up to {found.total():,}, not {expected:,}. Do not trust this table."


def _objects(tables: Mapping[RankingName, Odds]) -> Iterator[str]:
    for ranking, table in tables.items():
        for place, chance in enumerate(table.chances, 1):
            row = {
                "ranking": ranking,
                "place": place,
                "category": chance.category.title,
                "hands": chance.hands,
                "of": table.of,
            }
            yield msgspec.json.encode(row).decode()


def _text(tables: Mapping[RankingName, Odds], found: Counter[int], *, whole: bool) -> str:
    """Returns both tables side by side; for whole decks also each category's place by rarity."""
    book, statistical = tables["book"], tables["statistical"]
    rare = by_rarity(found, RANKINGS["book"])
    lines = [f"{book.of:,} hands", "", f"{'book':<24}{_HEADINGS}   {'statistical':<24}{_HEADINGS}"]
    for place, (one, other) in enumerate(zip(book.chances, statistical.chances, strict=True), 1):
        left = f"{place:>2} {one.category.title:<21}{_counts(one.hands, book.of)}"
        right = f"{place:>2} {other.category.title:<21}{_counts(other.hands, statistical.of)}"
        lines.append(f"{left}   {right}".rstrip())
    if whole:
        places = ", ".join(_misplaced(category, place, rare) for place, category in enumerate(RANKINGS["book"]))
        lines += ["", f"Places in the book, and by rarity with high card last: {places}."]
    return "\n".join(lines)


_HEADINGS = f"{'hands':>12} {'1 in':>14}"


def _counts(hands: int, of: int) -> str:
    """Returns the number of hands, and one in how many hands that is."""
    if not hands:
        return f"{0:>12} {'-':>14}"
    each = of / hands
    return f"{hands:>12,} {each:>14,.0f}" if each >= 100 else f"{hands:>12,} {each:>14,.2f}"


def _misplaced(category: Category, place: int, rare: tuple[Category, ...]) -> str:
    there = rare.index(category)
    return f"{category.title} {place + 1}" + ("" if there == place else f" -> {there + 1}")
