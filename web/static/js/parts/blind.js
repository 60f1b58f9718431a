// The announcement that the referee cannot see the table: on the page, to screen readers and by a sound, once each time.

import { t } from "../lib/language.js";
import { byId, fill, h } from "../lib/dom.js";
import { alarm } from "../lib/say.js";
import { callPeople, setSound, soundIsOn } from "../lib/sound.js";

let told = /** @type {string|null} */ (null);

/** @param {any} store */
export function showBlind(store) {
  const place = byId("blind");
  const eyes = store.eyes;
  const title = eyes?.playback ? null : (eyes?.blind ?? null); // a demo that is over says so itself
  place.hidden = !title;
  if (title) draw(place, title, eyes.text);
  if (title && title !== told) {
    alarm(`${title}. ${eyes.text}`);
    callPeople(`${title}. ${eyes.text}`);
  }
  told = title;
}

function draw(place, title, text) {
  const sentence = place.querySelector(".blind-text");
  if (place.dataset.title === title && sentence) {
    if (sentence.textContent !== t(text)) sentence.textContent = t(text);
    return;
  }
  place.dataset.title = title;
  const quiet = h("button", { type: "button", class: "small", "data-key": "sound", "aria-pressed": String(soundIsOn()) }, "Sound on this device");
  quiet.addEventListener("click", () => {
    setSound(!soundIsOn());
    quiet.setAttribute("aria-pressed", String(soundIsOn()));
  });
  const sign = h("span", { class: "blind-sign", "aria-hidden": "true" }, "!");
  fill(place, sign, h("div", {}, h("h2", {}, title), h("p", { class: "blind-text" }, text)), place.dataset.bare === undefined && quiet);
}
