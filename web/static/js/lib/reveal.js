// A panel that is higher than its room shows the decision first: what changes in it is scrolled to its main button. And it shows that
// there is more: below or above what is seen of it.

/** @param {HTMLElement} scroller */
export function revealDecisions(scroller) {
  const look = () => {
    const buttons = /** @type {HTMLElement[]} */ ([...scroller.querySelectorAll(".primary:not(:disabled)")]);
    const main = buttons.find((button) => button.checkVisibility());
    if (!main) return;
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
