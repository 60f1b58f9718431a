// A panel that is higher than its room shows the decision first: what changes in it is scrolled to its main button. And it shows that
// there is more: below or above what is seen of it.

/** @param {HTMLElement} scroller */
export function revealDecisions(scroller) {
  const look = () => {
    const buttons = /** @type {HTMLElement[]} */ ([...scroller.querySelectorAll(".primary:not(:disabled)")]);
    const main = buttons.find((button) => button.checkVisibility());
    if (!main) {
      revealRaised(scroller);
      return;
    }
    const room = scroller.getBoundingClientRect();
    const own = main.getBoundingClientRect();
    if (own.top >= room.top && own.bottom <= room.bottom) return;
    const part = (main.closest("#cell, #told, #doubts, #hands") ?? main).getBoundingClientRect();
    const whole = own.bottom - part.top <= scroller.clientHeight;
    scroller.scrollTop += whole ? part.top - room.top : own.bottom - room.bottom + 8;
  };
  new ResizeObserver(look).observe(scroller);
  onChange(scroller, look);
}

/** Cards that are raised because they may be played are scrolled into view, above the row of buttons, if there is room for all of them.
 * @param {HTMLElement} scroller */
function revealRaised(scroller) {
  const boxes = [...scroller.querySelectorAll(".playable:not(:disabled)")].filter((card) => card.checkVisibility()).map((card) => card.getBoundingClientRect());
  if (!boxes.length) return;
  const room = scroller.getBoundingClientRect();
  const acts = scroller.querySelector(".acts");
  const foot = acts && getComputedStyle(acts).position === "sticky" ? Math.min(room.bottom, acts.getBoundingClientRect().top) : room.bottom;
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  if (bottom - top > foot - room.top) return;
  if (bottom > foot) scroller.scrollTop += bottom - foot + 4;
  else if (top < room.top) scroller.scrollTop -= room.top - top + 4;
}

/** Mark a scroller while there is more of it below or above. @param {HTMLElement} scroller */
export function showMore(scroller) {
  const mark = () => {
    const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    scroller.toggleAttribute("data-below", below > 4);
    scroller.toggleAttribute("data-above", scroller.scrollTop > 4);
  };
  scroller.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(scroller);
  onChange(scroller, mark);
}

/** Call once before the next picture whatever has changed. @param {HTMLElement} scroller @param {() => void} act */
function onChange(scroller, act) {
  let due = false;
  const changed = new MutationObserver(() => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      act();
    });
  });
  changed.observe(scroller, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden", "open"] });
}
