"""A player that knows nothing of the page but what a person sees, and plays a game to its end by taps.

It taps buttons and places of the board whose middle is in view and in front. It prefers what stands out, and what it has
not tried since the last row. On its way it notes what a person would have to look for: a main button that is not wholly
in view, and a page that scrolls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from tests.browser.conftest import House

SEEN = r"""async (row) => {
  const until = performance.now() + 8000;
  const pause = (ms) => new Promise((next) => setTimeout(next, ms));
  if (!window.under) {
    const under = (window.under = { asked: 0, told: 0 });
    const ask = window.fetch;
    window.fetch = async (...what) => {
      under.asked += 1;
      try { return await ask(...what); } finally { under.asked -= 1; under.told = performance.now(); }
    };
    addEventListener('click', () => (under.clicks = (under.clicks ?? 0) + 1), true);
    addEventListener('pointerdown', () => (under.presses = (under.presses ?? 0) + 1), true);
  }
  const clicked = performance.now() + 60;
  while (performance.now() < clicked && (window.under.presses ?? 0) > (window.under.clicks ?? 0)) await pause(2);
  window.under.presses = window.under.clicks = 0;
  const newest = () => Number((document.querySelector('#history .row')?.dataset.key ?? 'row-0').slice('row-'.length));
  const busy = () =>
    newest() < row || window.under.asked || performance.now() < window.under.told + 12 ||
    document.querySelector('[aria-busy="true"]') || !document.querySelector('#state.live');
  while (busy() && performance.now() < until) await pause(5);
  // What changes in a frame is scrolled into view in the next one.
  for (let frames = 0; frames < 3; frames += 1) await new Promise((next) => requestAnimationFrame(next));
  const root = document.querySelector('dialog[open]') ?? document;
  const boxes = new Map();
  const frame = (element) => {
    if (!element) return { l: 0, t: 0, r: innerWidth, b: innerHeight };
    if (boxes.has(element)) return boxes.get(element);
    let box = frame(element.parentElement);
    if (getComputedStyle(element).overflow !== 'visible') {
      const own = element.getBoundingClientRect();
      box = { l: Math.max(box.l, own.left), t: Math.max(box.t, own.top), r: Math.min(box.r, own.right), b: Math.min(box.b, own.bottom) };
    }
    boxes.set(element, box);
    return box;
  };
  const place = (one) => ['dialog', '.board', '#strip-actions', '#alert', '#work', '#bar', '.tabs'].find((name) => one.closest(name)) ?? 'other';
  const found = [];
  for (const one of root.querySelectorAll('button, [data-spot], a.button')) {
    if (one.disabled || !one.checkVisibility()) continue;
    const own = one.getBoundingClientRect();
    const around = frame(one.parentElement);
    const box = { l: Math.max(own.left, around.l), t: Math.max(own.top, around.t), r: Math.min(own.right, around.r), b: Math.min(own.bottom, around.b) };
    if (!own.width || !own.height) continue;
    const shown = (Math.max(0, box.r - box.l) * Math.max(0, box.b - box.t)) / (own.width * own.height);
    const [x, y] = [(box.l + box.r) / 2, (box.t + box.b) / 2];
    const front = shown > 0.4 ? document.elementFromPoint(x, y) : null;
    const kind = [...one.classList];
    found.push({
      place: place(one), x, y, shown, there: Boolean(front && (one.contains(front) || front.contains(one))),
      key: one.dataset.key ?? one.dataset.spot ?? one.textContent.trim().slice(0, 60),
      says: one.textContent.trim().slice(0, 60), main: kind.includes('primary') || 'plays' in one.dataset,
      fits: ['fits', 'allowed', 'legal', 'playable', 'met', 'movable'].some((name) => kind.includes(name)) || Boolean(one.querySelector('.offer')),
      pressed: one.getAttribute('aria-pressed') === 'true' || one.getAttribute('aria-selected') === 'true',
      pick: one.hasAttribute('aria-pressed') || one.hasAttribute('aria-selected') || Boolean(one.dataset.spot),
      grows: Boolean(one.closest('.grows')),
      dim: ['unplayable', 'against', 'closed'].some((name) => kind.includes(name)) || Boolean(one.querySelector('.points-entered')),
    });
  }
  const page = document.scrollingElement;
  return { found, turn: document.querySelector('#turn').textContent, scrolls: page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1 };
}"""
ASIDE = {
    "invite",
    "seat",
    "hint",
    "clock",
    "replay",
    "undo",
    "all-moves",
    "another",
    "nothing",
    "new",
    "anyway",
    "confirm",
    "misread",
}
"""Controls that lead away from a move: help, other phones, corrections."""
GIVES_UP = ("resign", "fold", "give up and", "stops", "draw offer")
"""Controls that end a game early, unless nothing else is left and they stand out."""
GOES_BACK = ("close", "leave", "cancel", "go back", "choose again")
"""Controls that take back what was chosen: they help when nothing else does."""
TIRED = {"solitaire": 150}
"""Rows after which a player gives up a game in which cards can be moved to and fro for ever."""
FORWARD = 6.0
"""The factor by which a player of Spectrum prefers a space that is one nearer to the star."""
AHEAD = 1.5
"""The factor by which the player prefers to move a pawn that stands one space nearer to a star."""
STAR = 1000.0
"""The factor for a move that takes a star, as the page says."""
GROWS, IDLE = 20.0, 0.03
"""The factors for an exchange of Spectra "for your own trees", and for any other exchange."""
LOOKS = 6
"""Looks that all find a fault, before it is one."""
_SPACE = re.compile(r"(\d)$")
PATIENCE = 250
"""Taps without a row until the player gives up."""


class Played(NamedTuple):
    """How a game went."""

    taps: int
    over: bool
    problems: tuple[str, ...]


class Tapper:
    """Plays the game on the table by tapping on the page of whoever is on turn."""

    def __init__(
        self, pages: Sequence[Any], house: House, seed: int, touch: bool = False, sizes: Sequence[tuple[int, int]] = ()
    ) -> None:
        """
        Args:
            pages: One for all, or one for each player, by seat.
            sizes: Other sizes of the window, in which each kind of decision is looked at once.
        """
        self._sizes = sizes
        self._looked: set[tuple[str, ...]] = set()
        self.pages, self.house = pages, house
        self.page = pages[0]
        self._touch = touch
        self._rng = Random(seed)
        self._tried: Counter[Any] = Counter()
        self._problems: dict[str, None] = {}

    def play(self, most: int, rows: int | None = None) -> Played:
        """Taps until the game is over, or `rows` rows have been added, or `most` taps are used up."""
        session = self.house.table.session
        first = last = session.seq
        idle = 0
        for tap in range(most):
            seen = self._see(self.page)
            if session.seq != last:
                last, idle = session.seq, 0
                self._tried.clear()
            if session.state.outcome() is not None or (rows is not None and last >= first + rows):
                return Played(tap, session.state.outcome() is not None, tuple(self._problems))
            if self._turn_to(idle):
                seen = self._see(self.page)
            seen = self._look(seen)
            idle += 1
            if idle > PATIENCE:
                self._problems[f"nothing leads on at row {last}: {session.state.expects()}"[:300]] = None
                break
            self._tap(seen["found"])
        return Played(most, False, tuple(self._problems))

    def _turn_to(self, idle: int) -> bool:
        """Take the phone of whoever may be on turn, as it says itself; look around again after some taps in vain.

        Returns:
            True if it is another phone than before.
        """
        if len(self.pages) == 1 or idle % 4:
            return False
        mine = [page for page in self.pages if "Your turn" in self._see(page)["turn"]]
        before, self.page = self.page, self._rng.choice(mine if mine and idle % 8 < 6 else self.pages)
        return self.page is not before

    def _see(self, page: Any) -> dict[str, Any]:
        """Returns what a page shows once it shows the last row, so that no tap depends on the speed of the news."""
        row = -1
        seen: dict[str, Any] = {}
        while row != self.house.table.session.seq:
            row = self.house.table.session.seq
            seen = page.evaluate(SEEN, row)
        return seen

    def _look(self, seen: dict[str, Any]) -> dict[str, Any]:
        """Note what is wrong here, and once for each kind of decision at the other sizes. Returns what is seen then."""
        self._note(seen)
        kind = tuple(sorted({f"{one['place']} {_stem(one['key'])}" for one in seen["found"] if one["main"]}))
        if not kind or kind in self._looked or not self._sizes:
            return seen
        self._looked.add(kind)
        own = self.page.viewport_size
        for width, height in self._sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            self._note(self._see(self.page), f" at {width}x{height}")
        self.page.set_viewport_size(own)
        return self._see(self.page)

    def _note(self, seen: dict[str, Any], at: str = "") -> None:
        """Note what is wrong; what a later look does not find again was a frame of a change."""
        faults = {fault.split(" is ")[0]: fault for fault in _faults(seen, at)}
        for _ in range(LOOKS):
            if not faults:
                return
            stays = {fault.split(" is ")[0] for fault in _faults(self._see(self.page), at)}
            faults = {kind: fault for kind, fault in faults.items() if kind in stays}
        for fault in faults.values():
            self._problem(fault, self.house.table.session.seq)

    def _problem(self, text: str, row: int) -> None:
        if not any(known.startswith(text.split(" is ")[0]) for known in self._problems):
            self._problems[f"{text} at row {row}"] = None

    def _tap(self, found: list[dict[str, Any]]) -> None:
        found = [
            one for one in found if one["there"] and one["place"] not in ("other", ".tabs") and not self._aside(one)
        ]
        chosen = [one["key"] for one in found if one["pressed"]]
        places = Counter(one["fits"] for one in found if one["place"] == ".board")
        game = self.house.table.session.game.name
        weights = [self._weight(one, chosen, places) * toward_the_end(game, one, chosen) for one in found]
        if not found:
            return  # another player is on turn
        (one,) = self._rng.choices(found, weights)
        self._tried[one["key"]] += 1
        self._tried[one["key"], *chosen] += 1
        self._press(one)

    def _press(self, one: dict[str, Any]) -> None:
        if self._touch:
            self.page.touchscreen.tap(one["x"], one["y"])
        else:
            self.page.mouse.click(one["x"], one["y"])

    def _aside(self, one: dict[str, Any]) -> bool:
        words = f"{one['key']} {one['says']}".lower()
        gives_up = not one["main"] and any(each in words for each in GIVES_UP)
        return leads_away(one) or (gives_up and not self._tired())

    def _tired(self) -> bool:
        session = self.house.table.session
        return session.seq > TIRED.get(session.game.name, session.seq)

    def _weight(self, one: dict[str, Any], chosen: Sequence[str], places: Counter[bool]) -> float:
        """The more is chosen already, the rather something is done with it; what was tried in vain is tried less.

        Args:
            places: The number of places of the board that stand out, and of those that do not.
        """
        worth: float = 30.0 if one["fits"] else 10.0
        if _goes_back(one):
            worth = 1.0
        elif one["main"]:
            worth = 60.0
        elif one["pick"]:
            alike = max(places[one["fits"]], 3) / 3 if one["place"] == ".board" else 1
            worth = (20.0 / (1 + len(chosen) / 3) if one["fits"] else 1.5 / (1 + len(chosen))) / alike
        if one["dim"] or one["pressed"]:
            worth /= 10
        again, at_all = self._tried[one["key"], *chosen], self._tried[one["key"]]
        return worth / float((1 + again) ** 2) / float((1 + at_all) ** 0.5)


def toward_the_end(game: str, one: dict[str, Any], chosen: Sequence[str]) -> float:
    """Returns the factor by which a player who wants to win prefers a control; without it such games never end."""
    if game == "spectra":
        return GROWS if one["grows"] else IDLE if _stem(one["key"]) in ("make", "take", "exchange") else 1.0
    space = _SPACE.search(one["key"]) if game == "spectrum" else None
    if space is None or not (one["fits"] or one["place"] == "#work"):
        return 1.0
    aimed = one["key"].startswith("to-") or (one["fits"] and any(key.startswith("pawn-") for key in chosen))
    return float((FORWARD if aimed else AHEAD) ** int(space[1])) * (STAR if "takes the star" in one["says"] else 1)


def leads_away(one: dict[str, Any]) -> bool:
    """True if a control helps, corrects or shows another part of the page."""
    return one["key"] in ASIDE or _stem(one["key"]) in ("sign", "row", "tab", "fold")


def _goes_back(one: dict[str, Any]) -> bool:
    return any(one[said].lower().startswith(GOES_BACK) for said in ("key", "says"))


def _faults(seen: dict[str, Any], at: str) -> list[str]:
    """What a person would have to look for."""
    faults = [f"the page scrolls{at}"] if seen["scrolls"] else []
    mains = [one for one in seen["found"] if one["main"]]
    for place in ("dialog", "#work", "#strip-actions", "#alert"):
        there = [one for one in mains if one["place"] == place]
        if there and not any(one["shown"] > 0.99 and one["there"] for one in there):
            best = max(there, key=lambda one: one["shown"])
            faults.append(f"{place} {_stem(best['key'])}{at} is {best['shown']:.0%} in view")
    return faults


def _stem(key: str) -> str:
    """What a control is for: the beginning of its key, without the piece or the place that it is about."""
    return str(key.split("-")[0])
