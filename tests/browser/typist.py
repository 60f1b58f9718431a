"""A player that has no mouse: it reaches what it has chosen by Tab and the arrow keys, and presses Enter."""

from __future__ import annotations

from typing import Any

from tests.browser.tapper import Tapper

AIM = """([x, y]) => { window.aimed = document.elementFromPoint(x, y)?.closest('button, a.button, [data-spot]'); return Boolean(window.aimed); }"""
WHERE = """() => {
  const [here, there] = [document.activeElement, window.aimed];
  if (!there?.isConnected || there.disabled) return { gone: true };
  const spots = here.closest('[data-spot]') && there.matches('[data-spot]') && here.ownerSVGElement === there.ownerSVGElement;
  const way = (name) => spots ? Number(there.dataset[name]) - Number(here.dataset[name]) : 0;
  return {
    arrived: here === there, spots: Boolean(spots), x: way('x'), y: way('y'), at: here.dataset?.key ?? here.dataset?.spot ?? here.id,
    after: Boolean(here.compareDocumentPosition(there) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY)),
  };
}"""
PRESSES = 260
"""More than any way on the page needs."""


class Typist(Tapper):
    """Plays by keys alone."""

    def _press(self, one: dict[str, Any]) -> None:
        if not self.page.evaluate(AIM, [one["x"], one["y"]]):
            return
        gone: set[tuple[str, str]] = set()
        for _ in range(PRESSES):
            here = self.page.evaluate(WHERE)
            if here.get("gone"):
                return
            if here["arrived"]:
                self.page.keyboard.press("Enter")
                return
            key = self._arrow(here, gone) if here["spots"] else "Tab" if here["after"] else "Shift+Tab"
            if key is None:
                self.page.keyboard.press("Escape")  # the arrows go through destinations only: leave the piece
                gone.clear()
                continue
            self.page.keyboard.press(key)
        self._problem(f"no keys lead to {one['place']} {one['key']}", self.house.table.session.seq)

    def _arrow(self, here: dict[str, Any], gone: set[tuple[str, str]]) -> str | None:
        """The arrow that leads nearest, unless it was pressed here before."""
        across = "ArrowRight" if here["x"] > 0 else "ArrowLeft"
        along = "ArrowDown" if here["y"] > 0 else "ArrowUp"
        ways = (across, along) if abs(here["x"]) > abs(here["y"]) else (along, across)
        for key in (*ways, "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            if (here["at"], key) not in gone:
                gone.add((here["at"], key))
                return key
        return None
