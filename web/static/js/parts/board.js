// The board: one tab stop, arrow keys to walk it, Enter or a tap to choose a cell.

import { build, patch } from "../lib/dom.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Squeeze words into their line: another language may need more room than the one in which they were set. */
export function fit(place) {
  const titles = /** @type {SVGTextElement[]} */ ([...place.querySelectorAll("text.place-title")]);
  const at = (text, name) => Number(text.getAttribute(name));
  for (const title of titles) {
    const note = title.nextElementSibling;
    const shared = note?.matches("text.place-note") && at(note, "y") === at(title, "y");
    const beside = titles.filter((other) => at(other, "y") === at(title, "y") && at(other, "x") > at(title, "x"));
    const end = shared ? at(note, "x") : Math.min(...beside.map((other) => at(other, "x")));
    const texts = /** @type {SVGTextElement[]} */ (shared ? [title, note] : [title]);
    for (const text of texts) text.removeAttribute("textLength");
    const lengths = texts.map((text) => text.getComputedTextLength());
    const part = (end - at(title, "x") - 6) / lengths.reduce((sum, length) => sum + length, 0);
    if (!(part < 1)) continue;
    texts.forEach((text, i) => {
      text.setAttribute("textLength", String(lengths[i] * part));
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    });
  }
}

export class Board {
  /** @param {HTMLElement} place @param {(spot: string, byKey: boolean) => void} choose */
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    this.spot = null;
    this.chosen = null;
    this.tree = null;
    /** True while a piece is chosen: then the arrow keys go through its destinations. */
    this.aims = false;
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-spot]");
      if (!cell) return;
      this.walk(cell, false);
      this.choose(cell.dataset.spot, false);
    });
    place.addEventListener("focusin", (event) => {
      const cell = event.target.closest("[data-spot]");
      if (cell) this.walk(cell, false);
    });
  }

  /** Draw another position; the focus stays where it is. */
  show(tree) {
    this.tree = tree;
    const svg = this.place.querySelector(":scope > svg");
    if (svg) patch(svg, tree);
    else this.place.replaceChildren(build(tree));
    fit(this.place);
    this.stops();
    const [, , width, height] = (this.place.querySelector(":scope > svg")?.getAttribute("viewBox") ?? "0 0 1 9").split(/\s+/).map(Number);
    this.place.closest(".stage")?.style.setProperty("--high", (height / width).toFixed(3));
  }

  stops() {
    const cells = this.cells();
    const now = cells.find((cell) => cell.dataset.spot === this.spot) ?? cells[0];
    for (const cell of cells) {
      cell.setAttribute("tabindex", cell === now ? "0" : "-1");
      cell.classList.toggle("chosen", cell.dataset.spot === this.chosen);
      cell.setAttribute("aria-selected", String(cell.dataset.spot === this.chosen));
    }
  }

  /** Point out the cell that the panel speaks of. */
  mark(spot) {
    this.chosen = spot;
    this.stops();
  }

  focus() {
    this.cells().find((cell) => cell.getAttribute("tabindex") === "0")?.focus();
  }

  cells() {
    return [...this.place.querySelectorAll("[data-spot]")];
  }

  /** Returns the places that the arrow keys walk through: while a piece is chosen, its possible destinations. */
  destinations() {
    const lit = this.aims ? this.cells().filter((cell) => cell.matches(".legal, .fits, .allowed")) : [];
    return lit.length ? lit : this.cells();
  }

  /** A piece was chosen by the keyboard in the hand: the first place where it can go. */
  focusDestination() {
    const [first] = this.destinations();
    if (this.aims && first) this.walk(first, true);
  }

  walk(cell, focus) {
    this.spot = cell.dataset.spot;
    this.stops();
    if (focus) cell.focus();
  }

  key(event) {
    const cell = event.target.closest("[data-spot]");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(cell.dataset.spot, true);
      return;
    }
    const next = event.key in STEPS ? this.beside(cell, STEPS[event.key], this.destinations()) : this.end(cell, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next) this.walk(next, true);
  }

  /** Returns the nearest cell in a direction: rather one within 45 degrees of it, because a nearer one farther aside belongs to another arrow. */
  beside(cell, [dx, dy], among) {
    const x = Number(cell.dataset.x);
    const y = Number(cell.dataset.y);
    for (const cone of this.aims ? [1.01, 2, Infinity] : [1.01, 2]) {
      let best = null;
      let least = Infinity;
      for (const other of among) {
        const along = (Number(other.dataset.x) - x) * dx + (Number(other.dataset.y) - y) * dy;
        const aside = Math.abs((Number(other.dataset.x) - x) * dy) + Math.abs((Number(other.dataset.y) - y) * dx);
        // On a lattice of triangles the next cell lies 30 degrees aside, and is nearer than the one after it.
        const far = along + 1.7 * aside;
        if (along > 1 && aside <= cone * along && far < least) {
          best = other;
          least = far;
        }
      }
      if (best) return best;
    }
    return null;
  }

  /** First or last cell of the row, undefined for any other key. */
  end(cell, key) {
    if (key !== "Home" && key !== "End") return undefined;
    const row = [...cell.parentNode.querySelectorAll("[data-spot]")];
    return key === "Home" ? row[0] : row[row.length - 1];
  }
}
