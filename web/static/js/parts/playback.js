// The part of the table's page for a demo: what is shown, how far it is, and the buttons to stop it, to step and to start again.

import { t } from "../lib/language.js";
import { mayChange, post } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";
import { showError, showRefusal } from "./bar.js";
import { beginInstead } from "./put-away.js";

let drawn = "";

/** @param {any} store */
export function showPlayback(store) {
  const show = store.eyes?.playback;
  const place = byId("playback");
  place.hidden = !show;
  if (!show) return;
  if (drawn !== show.state) {
    drawn = show.state;
    const button = (what, text) => h("button", { type: "button", class: "small", "data-key": `playback-${what}`, onclick: () => send(store, what) }, text);
    const over = show.state === "over";
    fill(
      place,
      h("p", { class: "playback-text" }),
      mayChange() &&
        h(
          "div",
          { class: "tools" },
          over && h("a", { class: "button small", href: "/setup" }, "Play a game of your own"),
          !over && (show.state === "playing" ? button("pause", "Pause") : button("play", "Go on")),
          !over && button("step", "Next picture"),
          button("restart", "Start again"),
        ),
    );
  }
  const sentence = place.querySelector(".playback-text");
  if (sentence.textContent !== t(show.text)) sentence.textContent = t(show.text);
}

async function send(store, what) {
  try {
    const act = (instead = "") => post("/api/eyes/playback", { do: what, instead });
    await (what === "restart" ? beginInstead(act) : act());
    showError("");
  } catch (error) {
    await showRefusal(store, error);
  }
}
