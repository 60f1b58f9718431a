// The options of a game as a form, and in one line what differs from the usual.

import { h } from "../lib/dom.js";
import { t } from "../lib/language.js";
import { playerColors } from "./colors.js";

const DRAWS = [
  ["dealt", "The program", "It seals the deal before the first card and proves it at the end. Each player sees their own hand on their own phone."],
  ["told", "You, and everybody enters their own hand", "Each player enters their own cards on their own phone; the referee judges by them."],
  ["unseen", "You, and hands stay secret", "You enter only what is played. The referee believes what it cannot see."],
];

/** A sentence with its rules' numbers as links. */
const linked = (game, text) => text.split(/\b((?:[A-Z]{2,4}|500)-\d+)\b/).map((part, i) => (i % 2 ? h("a", { href: `/rules/${game.name}#${part}` }, part) : part));

/** True if an option gives every player a color: `colors` of the game holds those that they have without choosing. */
const byPlayer = (state, field) => field.name === "colors" && state.game.colors && state.names.length > 1;

const shown = (state) => state.game.options.filter((field) => field.seats !== "least");

/**
 * The fields of the form.
 * @param {{game: any, names: string[], options: Record<string, any>, draws: string}} state
 * @param {() => void} changed  is called after every choice
 */
export function optionFields(state, changed) {
  const fields = shown(state).map((field) => option(state, field, changed));
  return [state.game.dealt && deals(state, changed), ...fields].filter(Boolean);
}

/** Whatever differs from the usual, in a few words. */
export function whatDiffers(state) {
  const words = shown(state)
    .filter((field) => field.name in state.options)
    .map((field) => `${t(field.title)}${/[?]$/u.test(t(field.title)) ? "" : ":"} ${t(said(field, state.options[field.name]))}`);
  if (state.game.dealt && state.draws !== "dealt") words.unshift(t("You deal."));
  if (words.length) return words.join(" · ");
  return shown(state).length || state.game.dealt ? t("as usual") : t("none in this game");
}

const said = (field, value) => (field.kind === "switch" ? (value ? "Yes" : "No") : (field.labels?.[value] ?? String(value)));

/** Returns the choice of who shuffles and deals the cards. */
function deals(state, changed) {
  const picks = DRAWS.map(([value, title, text]) =>
    h(
      "label",
      { class: "pick" },
      h("input", { type: "radio", name: "draws", value, checked: value === state.draws, onchange: () => { state.draws = value; changed(); } }),
      h("span", {}, h("span", { class: "pick-text" }, title), h("span", { class: "soft" }, text)),
    ),
  );
  return h("fieldset", {}, h("legend", {}, "Who deals the cards?"), h("div", { class: "choices" }, ...picks));
}

function option(state, field, changed) {
  const id = `option-${field.name}`;
  const sentence = h("p", { class: "soft", id: `${id}-about` }, ...linked(state.game, field.sentence));
  const keep = (value) => {
    if (value === field.default) delete state.options[field.name];
    else state.options[field.name] = value;
    changed();
  };
  const most = field.seats === "most" ? Math.min(field.most, state.names.length) : field.most;
  if (field.seats === "most" && state.options[field.name] > most) delete state.options[field.name];
  const now = state.options[field.name] ?? field.default;
  if (byPlayer(state, field)) {
    const { usual, pieces, rule } = state.game.colors;
    const words = h("p", { class: "soft" }, ...linked(state.game, `The color of each player's ${pieces}. Choosing one that another player has swaps the two. ${rule}.`));
    return playerColors(state.names.length, usual, field, words, keep);
  }
  if (field.kind === "switch") {
    const box = h("input", { type: "checkbox", id, checked: now, "aria-describedby": `${id}-about`, onchange: (event) => keep(event.target.checked) });
    return h("fieldset", {}, h("legend", {}, field.title), sentence, h("div", { class: "option-choices" }, h("label", { class: "pick", for: id }, box, h("span", {}, "Yes"))));
  }
  if (field.kind === "choice") {
    const picks = field.choices.map((value) =>
      h("label", { class: "pick" }, h("input", { type: "radio", name: id, value: String(value), checked: value === now, onchange: () => keep(value) }), h("span", {}, field.labels?.[value] ?? String(value))),
    );
    return h("fieldset", { "aria-describedby": `${id}-about` }, h("legend", {}, field.title), sentence, h("div", { class: "option-choices" }, ...picks));
  }
  const number = field.kind === "number";
  const input = h("input", { type: number ? "number" : "text", id, value: String(now), min: field.least, max: most, "aria-label": field.title, "aria-describedby": `${id}-about`, onchange: (event) => keep(number ? Number(event.target.value) : event.target.value) });
  return h("fieldset", {}, h("legend", {}, field.title), sentence, input);
}
