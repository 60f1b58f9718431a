// The facts beside a table of cards: the rules' verdict on a move, the cards not seen yet, the proof of a deal.

import { h } from "../lib/dom.js";
import { ruleLine } from "../parts/alert.js";
import { chipped } from "./chips.js";

const LETTERS = ["R", "RO", "O", "OY", "Y", "YG", "G", "GB", "B", "BP", "P", "PR"];

/** Returns the rules' verdict on one move. */
export function verdict(found) {
  return h(
    "div",
    { class: `verdict ${found.legal ? "allowed" : "forbidden"}` },
    h("p", {}, h("span", { class: "verdict-word" }, found.legal ? "✓ Allowed. " : "✗ Not allowed. "), chipped(found.sentence)),
    ...found.breaches.map(ruleLine),
    found.problem && h("p", {}, found.problem),
  );
}

/** Which cards the reader has not seen, by color and number. */
export function unseenTable(unseen) {
  const head = h("tr", {}, h("td", {}), ...Array.from({ length: 12 }, (_, i) => h("th", { scope: "col" }, String(i + 1))));
  const cell = (count) => h("td", { class: count ? "there" : "gone" }, h("span", { "aria-hidden": "true" }, count ? "●" : "·"), h("span", { class: "hidden" }, count ? "unseen" : "seen"));
  const body = unseen.rows.filter((row) => LETTERS.includes(row.letters)).map((row) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: `code-chip c-${row.letters}` }, row.letters)), ...row.counts.map(cell)));
  return h(
    "div",
    {},
    h("table", { class: "unseen-table" }, h("caption", { class: "hidden" }, "Cards that are not seen yet, by color and number"), h("thead", {}, head), h("tbody", {}, ...body)),
    unseen.specials.length > 0 && h("p", {}, unseen.specials.map((one) => `${one.name} ${one.count}`).join(", ")),
  );
}

/** How the program's deal can be checked. */
export function dealt(deal) {
  return h(
    "div",
    {},
    h("p", {}, "Commitment, shown before the first card:"),
    h("p", {}, h("code", { class: "long" }, deal.commitment)),
    deal.seed && h("p", {}, "Seed, shown now that the game is over:"),
    deal.seed && h("p", {}, h("code", { class: "long" }, deal.seed)),
    deal.seed
      ? h("p", { class: "soft" }, h("code", {}, "companion replay"), " deals every card of the journal once more from this seed and compares.")
      : h("p", { class: "soft" }, "The seed behind it is shown when the game is over. Then anybody can check that no card was chosen later."),
  );
}
