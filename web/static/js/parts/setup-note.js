// The table page's note on the set-up: it is going on and the game waits, or why it is advised. Shown once.

import { Refusal, mayChange, post } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";

let told = "";

const GOING_ON = "The table is being set up: the game waits.";

/** @param {any} store */
export function showSetupNote(store) {
  const place = byId("setup-note");
  const setup = store.eyes?.setup;
  const text = setup?.open ? GOING_ON : (setup?.offer ?? "");
  place.hidden = !text;
  if (text === told) return;
  told = text;
  if (!text) {
    fill(place);
    return;
  }
  const buttons = setup.open
    ? [h("a", { class: "button", href: "/calibration" }, "To the set-up"), h("button", { type: "button", "data-key": "setup-end", onclick: () => send("close") }, "Go on with the game")]
    : [h("button", { type: "button", "data-key": "setup-begin", onclick: begin }, text.includes("Remember the empty table") ? "Remember the empty table" : "Set up the table"), h("button", { type: "button", class: "quiet", "data-key": "setup-later", onclick: () => send("later") }, "Not now")];
  fill(place, h("p", {}, text), mayChange() && h("div", { class: "tools" }, ...buttons));
  say(text);
}

async function begin() {
  if (await send("open")) location.assign("/calibration");
}

/** A button of the note was pressed; the stream tells what became of it. */
async function send(name) {
  try {
    await post(`/api/calibration/${name}`);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
    fill(byId("setup-note"), h("p", {}, error.message));
    told = error.message;
    return false;
  }
}
