// Regenbogen's card beside the board: actions, stores of both sides, how near each is to a domination, draws.

import { byId, fill, h, sign } from "../lib/dom.js";
import { many, upper } from "../lib/words.js";

/** The card beside the board. @param {any} panel */
export function showTold(panel) {
  const { advice } = panel;
  fill(
    byId("told"),
    h("div", { class: "told-part" }, h("h3", {}, heading(panel)), actions(panel)),
    ...advice.seats.map((seat) => h("div", { class: "told-part" }, title(panel, seat), stores(panel, seat), dominations(seat))),
    h("div", { class: "told-part" }, h("h3", {}, "Draws"), h("p", { class: "soft" }, `${many(advice.quiet.turns, "turn")} without damage; after ${advice.quiet.most} the game is a draw. This position has come up ${many(advice.repeated.times, "time")}; at ${advice.repeated.most} it is a draw (RGB-27).`)),
  );
}

function heading(panel) {
  const { advice } = panel;
  if (advice.turn === null) return "The game is over";
  if (advice.saving.length) return `${advice.saving.map((seat) => advice.seats[seat].side).join(" and ")}: give up a spell, or the Cleric?`;
  return `What ${advice.seats[advice.turn].side} can do besides moving`;
}

/** Every action, fights and summons by the piece that does them. */
function actions(panel) {
  const deeds = panel.advice.moves.filter((move) => !["move", "summon", "heal"].includes(move.does));
  const by = (does) => [...new Set(panel.advice.moves.filter((move) => move.does === does).map((move) => move.piece))];
  const choose = (does, text) => by(does).map((spot) => h("button", { type: "button", class: "small", "data-key": `${does}-${spot}`, onclick: () => panel.pick(spot, true, true) }, `${text} ${panel.cell(spot).piece.name.split("'s ")[1]} on ${spot}`));
  const buttons = [...choose("summon", "Summon with"), ...choose("heal", "Heal with")];
  if (!deeds.length && !buttons.length) return panel.advice.saving.length > 0 ? null : h("p", { class: "soft" }, "There is nothing to do now.");
  return h("div", {}, deeds.length > 0 && h("ul", { class: "ways" }, ...deeds.map((move) => h("li", { class: "way deed" }, panel.deed(move, true)))), buttons.length > 0 && h("div", { class: "tools" }, ...buttons));
}

function title(panel, seat) {
  const shown = panel.store.data.seats[seat.seat];
  const cleric = seat.cleric === null ? "no Cleric" : `Cleric ${seat.cleric} health, ${seat.spells} of ${many(seat.spells_most, "spell")}`;
  return h("h3", { class: "side-title" }, sign(shown.sign), h("span", {}, `${seat.side}: ${seat.name}`), h("span", { class: "soft" }, cleric));
}

function stores(panel, seat) {
  const row = (store) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "swatch" }, panel.pictures.draw(store.code), upper(store.color))),
      h("td", { class: store.wizard === null ? "none" : null }, store.wizard === null ? "dead" : `${store.wizard}/${store.wizard_most}`),
      h("td", { class: store.spirits.length ? null : "none" }, store.spirits.join(", ") || "–"),
      h("td", {}, `${store.spirits_left}/${store.spirits_most}`),
      h("td", {}, `${store.health_left}/${store.health_most}`),
    );
  return h(
    "table",
    { class: "counts stores" },
    h("caption", { class: "hidden" }, `Health and pools of ${seat.side}`),
    h("thead", {}, h("tr", {}, ...["Color", "Wizard", "Spirits", "Spirits left", "Health left"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...seat.stores.map(row)),
  );
}

function dominations(seat) {
  const one = (found) =>
    h(
      "li",
      { class: found.left === 0 ? "won" : null },
      h("strong", {}, found.name),
      h("span", {}, found.way.map(({ color, dead }) => (dead ? `${upper(color)} ✗ dead` : upper(color))).join(", ")),
      h("span", { class: "soft" }, found.left === 0 ? "complete" : `${found.left} to go`),
    );
  return h("div", {}, h("h4", {}, `What ${seat.side} must kill to win (RGB-25)`), h("ul", { class: "dominations" }, ...seat.dominations.map(one)));
}
