// Pieces to look at and to choose.

import { build, h } from "../lib/dom.js";

/** A piece as a button: picture, code, and its name for those who cannot see it. */
export function pieceButton(piece, act, props = {}) {
  return h(
    "button",
    { type: "button", class: "piece", "aria-pressed": "false", "data-code": piece.code, onclick: act, ...props },
    build(piece.picture),
    h("code", {}, piece.code),
    h("span", { class: "hidden" }, ` ${piece.name}`),
  );
}

/** A piece that cannot be chosen now. */
export function pieceStill(piece) {
  const box = h("span", { class: "piece still", role: "img", "aria-label": `${piece.name} (${piece.code})` });
  box.append(build(piece.picture));
  return box;
}
