// The card beside the board: players with their stars and stocks, the roll, weights, own secret cards, and what is played with.

import { build, h, sign } from "../lib/dom.js";
import { colorHues } from "./spectrum-usages.js";

/** @param {any} panel */
export function told(panel) {
  const { advice } = panel;
  return [
    h("div", { class: "told-part" }, h("h3", {}, `${advice.taken} of 12 stars are captured`), h("p", { class: "soft" }, ...linked(advice.goal)), players(panel)),
    panel.secrets.hand(),
    lastRoll(panel),
    advice.weights && weights(panel),
    h("div", { class: "told-part" }, h("h3", {}, "Played with"), h("dl", { class: "played-with" }, ...advice.options.flatMap((one) => [h("dt", {}, `${one.title}: ${one.value}`), h("dd", { class: "soft" }, ...linked(one.sentence))]), advice.options.length === 0 && h("dd", { class: "soft" }, "No options."))),
  ].filter(Boolean);
}

/** A sentence with its rules' numbers as links. */
const linked = (text) => text.split(/\b([A-Z]{3}-\d+)\b/).map((part, i) => (i % 2 ? h("a", { href: `/rules/spectrum#${part}` }, part) : part));

function players(panel) {
  const { advice, store } = panel;
  const row = (seat) => {
    const shown = store.data.seats[seat.seat];
    return h(
      "li",
      { class: seat.turn ? "star-line to-move" : "star-line" },
      h("div", { class: "star-head" }, sign(shown.sign), h("strong", { translate: "no" }, seat.name), ...seat.pawns.map((one) => h("span", { class: "swatch", role: "img", "aria-label": `${one.color} pawns` }, build(one.picture))), h("span", { class: "star-count" }, stars(seat, advice))),
      h("div", { class: "soft" }, `${seat.board} on the board, ${seat.pawns.length > 1 ? seat.pawns.map((one) => `${one.stock} ${one.color}`).join(", ") : seat.stock} in stock`, hidden(seat)),
      seat.stars.length > 0 && colorHues(panel, seat.stars),
    );
  };
  return h("ul", { class: "star-lines" }, ...advice.seats.map(row));
}

/** Stars captured and still needed, as signs and in words. */
function stars(seat, { needed, weights }) {
  const got = seat.stars.length;
  if (weights) return h("span", {}, h("span", { class: "star-signs", "aria-hidden": "true" }, "★".repeat(got)), ` ${got} ${got === 1 ? "star" : "stars"}`);
  return h("span", {}, h("span", { class: "star-signs", "aria-hidden": "true" }, `${"★".repeat(got)}${"☆".repeat(Math.max(0, needed - got))}`), ` ${got} of ${needed}`, h("span", { class: "hidden" }, " stars"));
}

function hidden(seat) {
  const parts = [];
  if (seat.missions.length) parts.push(seat.revealed ? "missions shown" : `${seat.missions.length} missions`);
  if (seat.portals.length) parts.push(`${seat.portals.length} portals`);
  return parts.length ? `; ${parts.join(", ")}` : "";
}

function lastRoll(panel) {
  const { advice } = panel;
  const cards = advice.cards.filter(Boolean);
  if (!advice.dice.length && !cards.length) return null;
  const now = ["declare", "pass", "move", "place"].includes(advice.phase);
  return h(
    "div",
    { class: "told-part" },
    h("h3", {}, cards.length ? "Drawn cards" : now ? "The roll" : "The last roll"),
    h("div", { class: now ? null : "faded" }, panel.pictures.row(cards.length ? cards : advice.dice)),
    advice.portal_deck !== null && h("p", { class: "soft" }, `${advice.portal_deck} cards in the portal deck.`),
  );
}

function weights(panel) {
  const { letters, weights: found } = panel.advice;
  return h("div", { class: "told-part" }, h("h3", {}, "Weights of the colors"), h("ul", { class: "weights" }, ...Object.entries(found).map(([color, weight]) => h("li", { class: `hue hue-${letters[color]}` }, h("span", { class: "hue-letters", "aria-hidden": "true" }, letters[color]), h("span", {}, color, " ", h("strong", {}, weight ? String(weight) : "?"))))));
}
