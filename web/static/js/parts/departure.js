// The notice that the configuration takes the table away in the middle of a game, and the answer to it.

import { Refusal, mayChange, post } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";

let told = "";

/** @param {any} store */
export function showDeparture(store) {
  const place = byId("departure");
  const text = store.eyes?.departure ?? "";
  place.hidden = !text;
  if (text === told) return;
  told = text;
  fill(place, text && h("p", {}, text), text && mayChange() && h("div", { class: "tools" }, h("button", { type: "button", "data-key": "departure-agree", onclick: agree }, "Remove the table now")));
  if (text) say(text);
}

async function agree() {
  try {
    await post("/api/departure");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
  }
}
