// Cards entered on the page: a row for each color, a button for each card that may have come.

import { t } from "../lib/language.js";
import { h, fill } from "../lib/dom.js";
import { say } from "../lib/say.js";

export class CardEntry {
  /**
   * @param {HTMLElement} place
   * @param {{cards: string[], count: number, exactly: boolean, onePerRow?: boolean}} wanted
   * @param {any} pictures
   * @param {(codes: string[]) => void} tell
   */
  constructor(place, wanted, pictures, tell) {
    this.place = place;
    this.wanted = wanted;
    this.pictures = pictures;
    this.tell = tell;
    /** @type {string[]} */ this.chosen = [];
    /** @type {Map<string, HTMLElement>} */ this.buttons = new Map();
    this.show();
  }

  /** Everything once; of more than a hundred cards only the marks change with a tap. */
  show() {
    this.status = h("p", { class: "soft", role: "status" });
    this.done = h("button", { type: "button", class: "primary", "data-key": "tell-cards", onclick: () => this.tell(this.chosen) });
    fill(this.place, this.status, h("div", { class: "card-rows" }, ...this.rows()), h("div", { class: "tools spaced" }, this.done));
    this.mark();
  }

  /** Say what is chosen. */
  mark() {
    const { count, exactly } = this.wanted;
    const names = this.chosen.map((code) => this.pictures.name(code)).join(", ");
    this.status.textContent = t(`${this.chosen.length} of ${count} chosen${names ? `: ${names}` : ""}.`);
    this.done.toggleAttribute("disabled", exactly ? this.chosen.length !== count : this.chosen.length === 0);
    this.done.textContent = t(this.chosen.length === 1 ? "Enter this card" : "Enter these cards");
    for (const [code, button] of this.buttons) button.setAttribute("aria-pressed", String(this.chosen.includes(code)));
  }

  rows() {
    const rows = new Map();
    for (const code of this.wanted.cards) {
      const key = row(code);
      rows.set(key, [...(rows.get(key) ?? []), code]);
    }
    return [...rows].map(([key, codes]) => h("ul", { class: "card-row", "aria-label": key === "swap" ? "Color swap cards" : this.pictures.name(codes[0]).replace(/ \d+$/, "") }, ...codes.map((code) => h("li", {}, this.card(code)))));
  }

  card(code) {
    const button = h("button", { type: "button", class: "card-button", "data-key": `card-${code}`, "aria-label": this.pictures.name(code), onclick: () => this.take(code) }, this.pictures.draw(code));
    this.buttons.set(code, button);
    return button;
  }

  take(code) {
    if (this.chosen.includes(code)) this.chosen = this.chosen.filter((one) => one !== code);
    else {
      const kept = this.wanted.onePerRow ? this.chosen.filter((one) => row(one) !== row(code)) : this.chosen;
      this.chosen = [...kept, code].slice(-this.wanted.count);
    }
    say(`${this.chosen.length} of ${this.wanted.count} chosen.`);
    this.mark();
  }
}

/** Color letters of a number card; all color swap cards together. */
const row = (code) => /^[A-Z]+(?=\d)/.exec(code)?.[0] ?? "swap";
