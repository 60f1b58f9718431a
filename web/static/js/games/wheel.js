// The round board on this screen: turned to the player's side, paths lit, pawns that may move, where they may go, and the way there.

import { build } from "../lib/dom.js";
import { t } from "../lib/language.js";

/** From whose side this screen shows the board, how far it is turned from there, and whether it is enlarged; nobody else's business. */
const SIDE = "spectrum-side";
const TURN = "spectrum-turn";
const LARGE = "spectrum-large";
const STEP_DEG = 30;

export class Wheel {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.seat = 0;
    this.seats = 2;
    /** @type {Map<string, number[]>} */ this.middles = new Map();
  }

  /**
   * Whose side is at the bottom: seats sit evenly around the board, clockwise, the first one where green is.
   * @param {number|null} me the seat of this browser's player, if that is known
   * @param {number} seats
   */
  sit(me, seats) {
    const kept = Number(localStorage.getItem(SIDE) ?? 0);
    this.seats = seats;
    this.seat = me ?? (kept < seats ? kept : 0);
    this.show();
  }

  /** Look from another side. */
  from(seat) {
    localStorage.setItem(SIDE, String(seat));
    localStorage.removeItem(TURN);
    this.seat = seat;
    this.show();
  }

  get turn() {
    const kept = Number(localStorage.getItem(TURN) ?? 0);
    const side = Math.round((360 * this.seat) / this.seats / STEP_DEG) * STEP_DEG;
    return (((Number.isFinite(kept) ? kept : 0) - side) % 360 + 360) % 360;
  }

  /** Turn the board by steps of one path. */
  by(steps) {
    const kept = Number(localStorage.getItem(TURN) ?? 0);
    localStorage.setItem(TURN, String((kept + steps * STEP_DEG + 720) % 360));
    this.show();
  }

  get large() {
    return localStorage.getItem(LARGE) === "yes";
  }

  enlarge() {
    localStorage.setItem(LARGE, this.large ? "no" : "yes");
    this.show();
    if (this.large) this.place.scrollTo({ left: (this.place.scrollWidth - this.place.clientWidth) / 2 });
  }

  show() {
    // All boards of the page turn alike: the one of a replay, of a question, of a correction.
    document.documentElement.style.setProperty("--turn", `${this.turn}deg`);
    this.place.classList.toggle("large", this.large);
  }

  /**
   * Light a usage: its paths, the pawns that may move, and for the chosen one where it may go.
   * @param {{opens: string[]|null, movers: Set<string>, chosen: string|null, targets: Map<string, any[]>}} light
   */
  light({ opens, movers, chosen, targets }) {
    const svg = this.place.querySelector(":scope > svg");
    const wheel = svg?.querySelector(".wheel");
    if (!wheel) return;
    this.measure();
    svg.classList.toggle("lit", Boolean(opens));
    wheel.querySelectorAll(".path").forEach((path, i) => {
      path.classList.toggle("open", Boolean(opens?.includes(COLORS[i])));
      path.classList.toggle("closed", Boolean(opens && !opens.includes(COLORS[i])));
    });
    for (const cell of this.place.querySelectorAll("[data-spot]")) {
      const spot = cell.dataset.spot;
      const words = cell.dataset.words ?? (cell.dataset.words = cell.getAttribute("aria-label"));
      const said = [words, movers.has(spot) && "may move", spot === chosen && "chosen", targets.has(spot) && "allowed here"];
      cell.setAttribute("aria-label", said.filter(Boolean).map((word) => t(word)).join(", "));
      cell.classList.toggle("allowed", targets.has(spot));
      cell.classList.toggle("movable", movers.has(spot));
      cell.classList.toggle("closed-space", Boolean(opens && !opens.includes(spot.split(".")[0])));
    }
    wheel.querySelector(":scope > .lights")?.remove();
    const drawn = [];
    for (const spot of movers) drawn.push(this.ring(spot, spot === chosen ? "mover chosen" : "mover"));
    if (chosen && !movers.has(chosen)) drawn.push(this.ring(chosen, "mover chosen"));
    for (const [spot, ways] of targets) {
      drawn.push(...this.way(chosen, ways[0]));
      drawn.push(this.target(spot, ways[0]));
    }
    wheel.append(build(["g", { class: "lights", "aria-hidden": "true" }, drawn.filter(Boolean)]));
    if (chosen && this.large) this.follow(chosen);
  }

  /** An enlarged board shows the chosen pawn. */
  follow(spot) {
    const cell = this.place.querySelector(`[data-spot="${CSS.escape(spot)}"]`);
    if (!cell) return;
    const [box, frame] = [cell.getBoundingClientRect(), this.place.getBoundingClientRect()];
    this.place.scrollBy({ left: box.left + box.width / 2 - frame.left - frame.width / 2, top: box.top + box.height / 2 - frame.top - frame.height / 2 });
  }

  /** Middles of the spaces, and arrow keys that go where they point although the board is turned. */
  measure() {
    this.middles = new Map();
    const angle = (this.turn * Math.PI) / 180;
    for (const cell of this.place.querySelectorAll("[data-spot]")) {
      cell.dataset.cx ??= cell.dataset.x;
      cell.dataset.cy ??= cell.dataset.y;
      const [x, y] = [Number(cell.dataset.cx), Number(cell.dataset.cy)];
      this.middles.set(cell.dataset.spot, [x, y]);
      cell.dataset.x = String(x * Math.cos(angle) - y * Math.sin(angle));
      cell.dataset.y = String(x * Math.sin(angle) + y * Math.cos(angle));
    }
  }

  ring(spot, kind) {
    const at = this.middles.get(spot);
    const around = (name) => at && ["circle", { class: name, cx: String(at[0]), cy: String(at[1]), r: "7.2" }, []];
    return at && ["g", {}, [around("mover-ground"), around(kind)]];
  }

  /** A dot where a pawn may stop, a ring with a cross where it captures. */
  target(spot, way) {
    const [x, y] = this.middles.get(spot) ?? [0, 0];
    const kind = way.captures ? "target capture" : way.star ? "target star" : "target";
    const dot = ["circle", { class: "target-dot", cx: String(x), cy: String(y), r: way.captures ? "6.4" : "3.1" }, []];
    const cross = ["path", { class: "target-cross", d: `M${x - 2.6} ${y - 6.9}l5.2 0M${x} ${y - 9.5}l0 5.2`, transform: `rotate(45 ${x} ${y - 6.9})` }, []];
    return ["g", { class: kind }, way.captures ? [dot, cross] : [dot]];
  }

  /** The way of one move: a line through its spaces, with an arc over whom it jumps. */
  way(chosen, move) {
    const start = chosen ? this.middles.get(chosen) : null;
    const stops = (move.landed ?? []).map((spot) => this.middles.get(spot)).filter(Boolean);
    const line = start ? [start, ...stops] : stops;
    const drawn = [];
    if (line.length > 1) drawn.push(["path", { class: "way", d: `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` }, []]);
    for (const spot of move.jumped ?? []) {
      const at = this.middles.get(spot);
      if (at) drawn.push(["circle", { class: "jumped", cx: String(at[0]), cy: String(at[1]), r: "6.4" }, []]);
    }
    return drawn;
  }
}

/** The paths clockwise, as the board draws them. */
export const COLORS = ["red", "red-orange", "orange", "orange-yellow", "yellow", "yellow-green", "green", "green-blue", "blue", "blue-purple", "purple", "purple-red"];
