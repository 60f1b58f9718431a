// Dice entered on the page: one place a die and a palette of its faces; or a roll by the program.

import { build, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";

/** Faces to choose from. Color is never the only sign: each shows its letters and pattern, and has its name. */
export class DiceEntry {
  /**
   * @param {HTMLElement} place
   * @param {{kind: string, label: string}[]} dice in the order in which they are told
   * @param {{faces: Record<string, string[]>, pieces: Record<string, any>}} known
   * @param {(faces: string[]) => void} tell codes of the faces, one a die
   * @param {(() => Promise<any>)|null} roll lets the program roll; null where a camera or a tower does
   */
  constructor(place, dice, known, tell, roll) {
    this.place = place;
    this.dice = dice;
    this.known = known;
    this.tell = tell;
    this.roll = roll;
    /** @type {(string|null)[]} */ this.chosen = dice.map(() => null);
    this.at = 0;
    this.show();
  }

  show() {
    const left = this.chosen.filter((one) => one === null).length;
    const active = this.dice[this.at];
    fill(
      this.place,
      h("ol", { class: "dice-slots", "aria-label": "Dice of this roll" }, ...this.dice.map((die, i) => h("li", {}, this.slot(die, i)))),
      h("p", { class: "soft", id: "dice-help" }, left ? `${short(active.kind)}${active.label ? ` (${active.label})` : ""}: which color is up? ${left} ${left === 1 ? "die" : "dice"} to go.` : "All dice are named."),
      h("ul", { class: "palette", "aria-label": `Faces of a ${short(active.kind)}` }, ...this.known.faces[active.kind].map((code) => h("li", {}, this.face(code)))),
      h(
        "div",
        { class: "tools spaced" },
        h("button", { type: "button", class: left ? null : "primary", "data-key": "tell-roll", disabled: left > 0, onclick: () => this.done() }, "Enter this roll"),
        this.roll && h("button", { type: "button", "data-key": "roll-for-me", onclick: () => this.roll() }, "Roll for me"),
      ),
    );
  }

  slot(die, i) {
    const code = this.chosen[i];
    const name = code ? this.known.pieces[code].name : "not entered yet";
    return h(
      "button",
      { type: "button", class: `die-slot ${die.kind}`, "data-key": `slot-${i}`, "aria-pressed": String(i === this.at), "aria-label": `Die ${i + 1}, ${short(die.kind)}${die.label ? `, ${die.label}` : ""}: ${name}`, onclick: () => this.go(i) },
      code ? build(this.known.pieces[code].picture) : h("span", { class: "die-empty", "aria-hidden": "true" }, short(die.kind)),
      die.label && h("span", { class: "die-label", "aria-hidden": "true" }, die.label.replace(/^die (?=\d)/, "")),
    );
  }

  face(code) {
    const piece = this.known.pieces[code];
    return h("button", { type: "button", class: "face", "data-key": `face-${code}`, "aria-label": piece.name, onclick: () => this.take(code) }, build(piece.picture));
  }

  go(i) {
    this.at = i;
    this.show();
  }

  /** The color of the die in question; then the next one that has none. */
  take(code) {
    this.chosen[this.at] = code;
    say(`Die ${this.at + 1}: ${this.known.pieces[code].name}.`);
    const order = this.dice.map((_, i) => (this.at + 1 + i) % this.dice.length);
    this.at = order.find((i) => this.chosen[i] === null) ?? this.at;
    this.show();
    if (!this.place.contains(document.activeElement)) this.place.querySelector(this.chosen.includes(null) ? ".palette .face" : '[data-key="tell-roll"]')?.focus({ preventScroll: true });
  }

  done() {
    this.tell(/** @type {string[]} */ (this.chosen));
  }
}

export const short = (kind) => kind.replace("spectrum-", "");

/** The dice of an event from their codes: "d12RO" is a twelve-sided die that shows red-orange. */
export const facesOf = (codes, pieces) => codes.map((code) => pieces[code].name);
