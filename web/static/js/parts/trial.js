// A piece tried out on the board: drawn at its place as it would lie, with a tick beside it that lays it.

import { build, h } from "../lib/dom.js";

const GAP_PX = 6;

export class Trial {
  /** @param {HTMLElement} place  what holds the board */
  constructor(place) {
    this.place = place;
    this.layer = null;
    this.tick = null;
    this.spot = null;
    new ResizeObserver(() => this.arrange()).observe(place);
  }

  /**
   * Draw a piece on a cell of the board.
   * @param {string} spot
   * @param {any} picture  the piece as it would lie there, in the board's units around the cell's center
   * @param {string} label  what the tick does
   * @param {(() => void)|null} lay  lays it; null draws no tick
   */
  show(spot, picture, label, lay) {
    this.clear();
    const board = this.place.querySelector(":scope > svg");
    const cell = this.place.querySelector(`[data-spot="${CSS.escape(spot)}"]`);
    if (!board || !cell) return;
    this.spot = spot;
    const piece = /** @type {SVGElement} */ (build(picture));
    const [left, top, width, height] = (piece.getAttribute("viewBox") ?? "").split(/\s+/).map(Number);
    const at = { x: Number(cell.dataset.x) + left, y: Number(cell.dataset.y) + top, width, height };
    for (const [name, value] of Object.entries(at)) piece.setAttribute(name, String(value));
    this.layer = build(["svg", { class: "board trial", viewBox: board.getAttribute("viewBox"), "aria-hidden": "true" }, []]);
    this.layer.append(piece);
    this.place.append(this.layer);
    if (lay) {
      this.tick = h("button", { type: "button", class: "primary trial-tick", "data-key": "tick", "data-plays": true, "aria-label": label, onclick: lay }, "✓");
      this.place.append(this.tick);
    }
    this.arrange();
  }

  clear() {
    this.layer?.remove();
    this.tick?.remove();
    this.layer = this.tick = this.spot = null;
  }

  /** Put the tick beside its cell, within the board's place. */
  arrange() {
    if (!this.tick || this.spot === null) return;
    const cell = this.place.querySelector(`[data-spot="${CSS.escape(this.spot)}"]`)?.getBoundingClientRect();
    if (!cell) return;
    const around = this.place.getBoundingClientRect();
    const own = this.tick.getBoundingClientRect();
    const right = cell.right + GAP_PX + own.width <= around.right ? cell.right + GAP_PX : cell.left - GAP_PX - own.width;
    const middle = cell.top + (cell.height - own.height) / 2;
    const within = (value, least, most) => Math.max(least, Math.min(value, most));
    this.tick.style.left = `${within(right, around.left, around.right - own.width) - around.left}px`;
    this.tick.style.top = `${within(middle, around.top, around.bottom - own.height) - around.top}px`;
  }
}
