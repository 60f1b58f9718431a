// A panel that is higher than its room shows the decision first: what changes in it is scrolled to its main button.

/** @param {HTMLElement} scroller */
export function revealDecisions(scroller) {
  let due = false;
  const look = () => {
    due = false;
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
  const changed = new MutationObserver(() => {
    if (due) return;
    due = true;
    requestAnimationFrame(look);
  });
  changed.observe(scroller, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden"] });
}
