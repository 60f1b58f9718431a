// Usages of a roll or a draw: dice, open colors, parts, and what of them is left.

import { mayChange } from "../lib/api.js";
import { h } from "../lib/dom.js";

const spaces = (count) => `${count} ${count === 1 ? "space" : "spaces"}`;

/** Colors as small plates: letters and name, never color alone. */
export function colorHues(panel, colors) {
  const { letters } = panel.advice;
  return h("span", { class: "hues" }, ...colors.map((color) => h("span", { class: `hue hue-${letters[color]}` }, h("span", { class: "hue-letters", "aria-hidden": "true" }, letters[color]), h("span", {}, color))));
}

/** One usage: its dice, its kind, what it opens and allots. With a number it can be chosen. */
export function usageButton(panel, usage, index) {
  const content = [
    h("span", { class: "usage-dice" }, panel.pictures.row(usage.codes)),
    h("span", { class: "usage-words" }, h("strong", {}, usage.kind), h("span", { class: "soft" }, allots(usage))),
    colorHues(panel, usage.opens),
  ];
  if (index < 0 || !mayChange()) return h("div", { class: usage.used ? "usage in-force" : "usage still" }, ...content);
  const on = panel.usage === index;
  return h("button", { type: "button", class: "usage", "data-key": `usage-${usage.name}`, "aria-pressed": String(on), "aria-label": `Use ${usage.name}: ${usage.kind}, ${allots(usage)}; opens ${usage.opens.join(", ")}`, onclick: () => panel.choose(index) }, ...content);
}

/** The parts of a usage in words. */
function allots(usage) {
  if (usage.swap) return "two pawns change places";
  if (usage.plain) return "two single spaces, or one jump";
  const parts = usage.parts.map((part) => spaces(part.spaces));
  return usage.free ? `${parts.join(" and ")}, in any order` : parts.join(", then ");
}

/** Returns the remaining parts of the usage in use. */
export function leftList(panel, usage) {
  const { left } = panel.advice;
  return h("ol", { class: "left-parts" }, ...left.map((part) => leftLine(panel, usage, part)));
}

function leftLine(panel, usage, part) {
  const mark = part.open ? (usage.plain || part.now ? "▸" : "·") : "✓";
  const state = part.open ? (usage.plain || part.now ? "now" : "later") : "done or lost";
  const where = usage.plain ? [] : [" in ", part.colors.length === 1 ? part.colors[0] : `one of ${part.colors.length} colors`, part.needs && ", from or into an intermediate"];
  return h("li", { class: part.open ? "part" : "part done" }, h("span", { class: "part-mark", "aria-hidden": "true" }, mark), h("span", {}, usage.swap ? "the exchange" : spaces(part.spaces), ...where, h("span", { class: "soft" }, ` – ${state}`)));
}
