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
      h("div", { class: "spot-head" }, title, h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => panel.act.back() }, "Close")),
      verdict ? verdictBox(verdict, ruleLine) : comers(panel, found),
      mayChange() && misread(panel, found),
    );
    if (byKey) title.focus();
    else for (const one of [byId("spot"), title]) one.scrollIntoView({ block: "nearest" });
    const reasons = (verdict ?? found).breaches.map((one) => `Rule ${one.rule}: ${one.text}`).join(" ");
    say(`${found.name} ${holds}. ${verdict ? `${verdict.legal ? "Allowed" : "Not allowed"}: ${verdict.sentence}` : found.sentence} ${reasons}`);
  } catch (error) {
    panel.fail(error);
  }
}

/** The pawns that may come to a space now, to be moved there by a tap, or the rules against it. */
function comers(panel, found) {
  const { phase, moves } = panel.advice;
  if (phase !== "move") return null;
  const ways = moves.filter((move) => move.to === found.spot && move.event.type !== "swap");
  const who = (at) => (at.includes(".") ? `the pawn on ${spotName(at)}` : `one from the ${at}`);
  const comer = (way) => {
    const words = h("span", { class: "target-words" }, h("strong", {}, upper(who(way.pawn))), h("span", {}, panel.does(way, ways.length > 1).join(", ")));
    return mayChange() ? h("button", { type: "button", class: "mover target-button", "data-key": `to-${way.text}`, onclick: () => panel.go(way) }, words) : h("span", { class: "mover" }, words);
  };
  if (ways.length) return h("div", {}, h("h4", {}, "Who moves here?"), h("ul", { class: "movers" }, ...ways.map((way) => h("li", {}, comer(way)))));
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
