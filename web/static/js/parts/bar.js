// The bar on top of the table: how urgent it is, and the error of the last thing that was tried here.

import { Refusal } from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/language.js";
import { say } from "../lib/say.js";

/** Red for what is not allowed and for a camera that sees nothing, amber for questions; the words say it, too. @param {any} store */
export function dressBar(store) {
  const kind = store.data?.alert?.kind ?? null;
  const mood = store.eyes?.blind && !store.eyes.playback ? "blind" : kind === "refused" ? "refused" : kind && kind !== "pending" ? "asks" : "";
  byId("bar").className = `bar ${mood}`.trim();
}

/** Shows in one sentence why something failed, until something succeeds. @param {string} text */
export function showError(text) {
  byId("error").textContent = t(text);
  if (text) say(text);
}

/**
 * Say why the table refused something. The state at that moment is shown first: a position on its way would take the sentence away.
 * @param {any} store @param {unknown} error
 */
export async function showRefusal(store, error) {
  if (!(error instanceof Refusal)) throw error;
  await store.settle();
  showError(error.message);
}
