"""A person with cards and a phone, who sits down, taps, and waits until the table has it."""

from __future__ import annotations

import re
from typing import Any

from tests.browser.conftest import LIVE, House
from tests.browser.test_game import rows_shown

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SAID = """() => [...document.querySelectorAll('.board, #cell, #told, #history, .wall-grid')]
  .flatMap(part => [part.innerText ?? part.textContent, ...[...part.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)])
  .join(' | ')"""


class Player:
    """A person with a phone: sits down, taps, and waits until the table has it."""

    def __init__(self, page: Any, house: House, seat: int) -> None:
        self.page, self.house, self.seat = page, house, seat

    def sit(self) -> Player:
        """Say whose phone it is."""
        self.page.click('[data-key="seat"]')
        with self.page.expect_navigation():
            self.page.click(f'[data-key="sit-{self.seat}"]')
        return self.there()

    def there(self) -> Player:
        """Wait until the page is live and says whose phone it is."""
        self.page.wait_for_selector(LIVE)
        self.page.wait_for_selector(f'[data-key="seat"] >> text=You are {self.house.table.session.names[self.seat]}')
        return self

    def look(self) -> None:
        """Wait until the own page shows what the others have done."""
        if self.house.table.session.seq:
            rows_shown(self.page, self.house.table.session.seq)

    def hand(self, *codes: str, zone: str = "hand") -> None:
        """Choose cards of the hand."""
        self.look()
        for code in codes:
            self.page.click(f'[data-key^="hand-{zone}.{code}"]')

    def table(self, *spots: str) -> None:
        """Choose cards or piles of the table."""
        self.look()
        for spot in spots:
            self.page.click(f'.board [data-spot="{spot}"]')

    def do(self, act: str) -> None:
        """Do it, and wait for the row."""
        before = self.house.table.session.seq
        self.page.click(f'[data-key="act-{act}-{self.seat}"]:not([disabled])')
        rows_shown(self.page, before + 1)
        self.look()

    def refused(self, act: str, rule: str) -> None:
        """Try it, and read why not."""
        before = self.house.table.session.seq
        self.page.click(f'[data-key="act-{act}-{self.seat}"]:not([disabled])')
        self.page.wait_for_selector(f"#verdicts >> text={rule}")
        assert self.house.table.session.seq == before

    def draw(self, *codes: str) -> None:
        """Name the cards that have come, letter by letter."""
        before = self.house.table.session.seq
        for code in codes:
            letters = code.rstrip("0123456789")
            self.page.click(f'#due-picker [data-key="due-color-{letters}"]')
            self.page.click(f'#due-picker [data-key="due-rank-{code.removeprefix(letters)}"]')
        self.page.click('#due-picker [data-key="due-tell"]')
        rows_shown(self.page, before + 1)

    def said(self) -> str:
        """Everything that the page says."""
        return str(self.page.evaluate(SAID))

    def knows(self, *codes: str) -> bool:
        """Whether any of these cards is named on the page."""
        return bool(re.search(rf"\b(?:{'|'.join(codes)})\b", self.said()))
