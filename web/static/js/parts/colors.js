// A color for each player: choosing one that another player has swaps the two.

import { h } from "../lib/dom.js";

let order = [];
let usualNow = "";

/**
 * @param {number} players
 * @param {string[]} usual colors without choosing, in the order of the seats
 * @param {{title: string, default: string}} field
 * @param {HTMLElement} sentence
 * @param {(value: string) => void} keep
 */
export function playerColors(players, usual, field, sentence, keep) {
  if (usualNow !== usual.join()) order = [...usual];
  usualNow = usual.join();
  const selects = [];
  const told = () => {
    const chosen = order.slice(0, players);
    keep(chosen.every((color, i) => color === usual[i]) ? field.default : chosen.join(","));
  };
  for (let i = 0; i < players; i += 1) {
    const select = /** @type {HTMLSelectElement} */ (h("select", { id: `color-${i}` }, ...usual.map((color) => h("option", { value: color }, color))));
    select.value = order[i];
    select.addEventListener("change", () => {
      const other = order.indexOf(select.value);
      [order[i], order[other]] = [order[other], order[i]];
      selects.forEach((one, seat) => (one.value = order[seat]));
      told();
    });
    selects.push(select);
  }
  told();
  return h("fieldset", {}, h("legend", {}, field.title), sentence, h("div", { class: "option-choices" }, ...selects.map((select, i) => h("label", { for: `color-${i}` }, `Player ${i + 1}`, select))));
}
