// Real cards entered on the page: a color and a number, or their letters typed; also cards that nobody shows.

import { fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { chip } from "./chips.js";

const LETTERS = ["R", "RO", "O", "OY", "Y", "YG", "G", "GB", "B", "BP", "P", "PR"];
const NAMES = ["red", "red-orange", "orange", "orange-yellow", "yellow", "yellow-green", "green", "green-blue", "blue", "blue-purple", "purple", "purple-red"];
const SPECIALS = ["swap R/G", "swap O/B", "swap Y/P", "swap RO/GB", "swap OY/BP", "swap YG/PR", "swap cards", "draw", "reverse draw", "deck swap", "pass hand right", "pass hand left"];
const CODE = /^([A-Z]{1,2})(\d{1,2})$/;

/** The code that somebody wrote, as notation writes it; null if the deck has no such card. */
export function codeOf(text) {
  const wanted = text.trim().replace(/\s+/g, " ");
  if (wanted === "??") return "??";
  const special = SPECIALS.find((one) => one.toLowerCase() === wanted.toLowerCase());
  if (special) return special;
  const found = CODE.exec(wanted.toUpperCase().replace(/\s/g, ""));
  return found && LETTERS.includes(found[1]) && Number(found[2]) >= 1 && Number(found[2]) <= 12 ? `${found[1]}${Number(found[2])}` : null;
}

export class CardPicker {
  /**
   * @param {HTMLElement} place
   * @param {{most: number, least: number, hidden: boolean, specials: boolean, button: string, name: string}} wanted
   * @param {(codes: string[]) => void} tell
   * @param {string[]} codes what is named already; kept up to date
   */
  constructor(place, wanted, tell, codes = []) {
    this.place = place;
    this.wanted = wanted;
    this.tell = tell;
    this.codes = codes;
    this.color = "R";
    this.problem = "";
    this.show();
  }

  show() {
    const { most, least, hidden, specials, button, name } = this.wanted;
    const left = most - this.codes.length;
    const rank = (number) => h("button", { type: "button", class: `rank-button c-${this.color}`, "data-key": `${name}-rank-${number}`, "aria-label": `${NAMES[LETTERS.indexOf(this.color)]} ${number}`, onclick: () => this.add(`${this.color}${number}`) }, `${this.color}${number}`);
    const color = (letters, i) => h("button", { type: "button", class: `color-button c-${letters}`, "aria-pressed": String(letters === this.color), "aria-label": NAMES[i], "data-key": `${name}-color-${letters}`, onclick: () => this.turn(letters) }, letters);
    const typed = h("input", { id: `${name}-typed`, "data-key": `${name}-typed`, maxlength: "200", autocapitalize: "characters", spellcheck: "false", placeholder: "R7, GB4", "aria-describedby": `${name}-said` });
    const form = h(
      "form",
      { class: "row-fields", onsubmit: (event) => { event.preventDefault(); this.type(typed.value); } },
      h("label", { class: "hidden", for: `${name}-typed` }, "Cards, typed"),
      typed,
      h("button", { type: "submit", class: "small" }, "Add"),
    );
    fill(
      this.place,
      h("p", { class: "picked-cards", id: `${name}-said`, role: "status" }, this.codes.length ? null : h("span", { class: "soft" }, `${most === 1 ? "One card" : `${most} cards`} to name.`), ...this.codes.map((code, i) => h("button", { type: "button", class: "small", "data-key": `${name}-out-${i}`, "aria-label": `Take ${code} out again`, onclick: () => this.out(i) }, code === "??" ? "not shown" : chip(code), " ×"))),
      this.problem && h("p", { class: "answer bad" }, this.problem),
      h("div", { class: "color-buttons", role: "group", "aria-label": "Color" }, ...LETTERS.map(color)),
      h("div", { class: "rank-buttons", role: "group", "aria-label": "Number" }, ...Array.from({ length: 12 }, (_, i) => rank(i + 1))),
      specials && h("div", { class: "special-buttons", role: "group", "aria-label": "Specials" }, ...SPECIALS.map((code) => h("button", { type: "button", class: "small", "data-key": `${name}-${code}`, onclick: () => this.add(code) }, code))),
      form,
      h(
        "div",
        { class: "tools spaced" },
        h("button", { type: "button", class: "primary", "data-key": `${name}-tell`, disabled: this.codes.length < least, onclick: () => this.tell(this.codes) }, button),
        hidden && left > 0 && h("button", { type: "button", "data-key": `${name}-hidden`, onclick: () => this.tell([...this.codes, ...Array(left).fill("??")]) }, this.codes.length ? `The other ${left} are not shown` : most === 1 ? "It is not shown" : "They are not shown"),
      ),
    );
  }

  turn(letters) {
    this.color = letters;
    this.show();
  }

  add(code) {
    this.problem = "";
    if (this.codes.length === this.wanted.most) this.codes.shift();
    if (code !== "??" && this.codes.includes(code) && CODE.test(code)) this.problem = `${code} is named already; the deck has it once.`;
    else this.codes.push(code);
    say(this.problem || `${code}. ${this.codes.length} of ${this.wanted.most}.`);
    this.show();
  }

  out(i) {
    this.codes.splice(i, 1);
    this.show();
  }

  /** Cards with commas or spaces between them. */
  type(text) {
    const parts = text.includes(",") || !/^[A-Za-z]{1,2}\d/.test(text.trim()) ? text.split(",") : text.split(/\s+/);
    const codes = parts.filter((part) => part.trim()).map((part) => [part, codeOf(part)]);
    const wrong = codes.find(([, code]) => code === null);
    if (wrong) {
      this.problem = `"${wrong[0].trim()}" is no card. Write letters and a number, as in RO12.`;
      this.show();
      return;
    }
    for (const [, code] of codes) this.add(/** @type {string} */ (code));
  }
}
