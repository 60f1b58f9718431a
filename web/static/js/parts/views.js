// On a phone: what lies side by side above the hand, one swipe or one tap away.

import { byId, fill, h } from "../lib/dom.js";

const VIEWS = [
  ["view-board", "Table"],
  ["view-scores", "Scores"],
  ["view-more", "More"],
];

/** Show which view is in front, and let a tap bring another one. */
export function startViews() {
  const swipe = byId("swipe");
  const buttons = VIEWS.map(([id, text]) => h("button", { type: "button", "data-key": id, onclick: () => goTo(id) }, text));
  fill(byId("views"), ...buttons);
  const show = () => {
    const now = Math.round(swipe.scrollLeft / Math.max(1, swipe.clientWidth));
    buttons.forEach((button, i) => (i === now ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current")));
  };
  swipe.addEventListener("scroll", show, { passive: true });
  addEventListener("resize", show);
  show();
}

/** @param {string} id of a view; nothing happens where all of them are shown at once */
export function goTo(id) {
  const swipe = byId("swipe");
  const view = byId(id);
  if (swipe.scrollWidth > swipe.clientWidth) swipe.scrollTo({ left: view.offsetLeft - swipe.offsetLeft });
}
