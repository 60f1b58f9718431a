// One space of the round board: why the chosen pawn may not go there, who may come, and what really stands there.

import { get, mayChange } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { upper } from "../lib/words.js";
import { ruleLine } from "../parts/alert.js";
import { verdictBox } from "./pictures.js";

/** A space as the board has it: "R4", "YG2". @param {string} spot such as "yellow-green.2" */
export function spotName(spot) {
  const [color, number] = spot.split(".");
  return color.split("-").map((part) => part.charAt(0).toUpperCase()).join("") + number;
}

/** Returns the full name of a space: "yellow-green 2", "red star". @param {string} spot */
const longName = (spot) => spot.replace(/\.9$/, " star").replace(".", " ");

/** @param {any} panel @param {string} spot @param {boolean} byKey whether the focus should follow */
export async function askAbout(panel, spot, byKey) {
  panel.spot = spot;
  panel.act.mark(spot);
  const asked = (panel.asked += 1);
  const { advice, pawn } = panel;
  try {
    const text = pawn === null || advice.phase !== "move" ? null : `player ${advice.turn + 1} moves ${pawn} to ${spot}`;
    const [found, verdict] = await Promise.all([get("/api/table/why", { spot }), text ? get("/api/advice/verdict", { text }) : null]);
    if (asked !== panel.asked) return;
    const holds = found.holds ? `holds a ${found.holds.name}` : "is empty";
    const title = h("h3", { tabindex: "-1", "data-key": "spot-title" }, upper(found.name), spot.includes(".") && h("span", { class: "soft" }, longName(spot)), h("span", { class: "soft" }, holds));
    fill(
      byId("spot"),
      title,
      verdict ? verdictBox(verdict, ruleLine) : comers(advice, found),
      mayChange() && misread(panel, found),
      h("div", { class: "tools spaced" }, h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => panel.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    else byId("spot").scrollIntoView({ block: "nearest" });
    const reasons = (verdict ?? found).breaches.map((one) => `Rule ${one.rule}: ${one.text}`).join(" ");
    say(`${found.name} ${holds}. ${verdict ? `${verdict.legal ? "Allowed" : "Not allowed"}: ${verdict.sentence}` : found.sentence} ${reasons}`);
  } catch (error) {
    panel.fail(error);
  }
}

/** Which pawns may come to a space now, or the rules against it. */
function comers(advice, found) {
  if (advice.phase !== "move") return null;
  const pawns = [...new Set(found.ways.map((way) => way.event.pawn))].filter(Boolean);
  if (pawns.length) return h("p", {}, `May come here: ${pawns.map((at) => (at.includes(".") ? `the pawn on ${spotName(at)}` : `one from the ${at}`)).join(", ")}.`);
  return h("div", { class: "verdict forbidden" }, h("p", {}, h("span", { class: "verdict-word" }, "✗ No pawn may come here now.")), ...found.breaches.slice(0, 4).map(ruleLine));
}

function misread(panel, found) {
  const colors = [...new Set(panel.advice.seats.flatMap((seat) => seat.pawns.map((one) => one.color)))];
  return h(
    "details",
    {},
    h("summary", { "data-key": "wrong" }, "Read wrongly?"),
    h(
      "div",
      { class: "tools" },
      found.holds && h("button", { type: "button", class: "small", "data-key": "nothing", onclick: () => panel.preview(found.spot, "") }, "Nothing stands here"),
      ...colors.filter((color) => found.holds?.json.color !== color).map((color) => h("button", { type: "button", class: "small", "data-key": `really-${color}`, onclick: () => panel.preview(found.spot, `pawn${color.charAt(0).toUpperCase()}`) }, `A ${color} pawn stands here`)),
    ),
  );
}
