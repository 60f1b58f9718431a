// Announcements to screen readers. A region is silent when its text does not change, so each text differs.

import { t } from "./language.js";

let turn = false;

function put(id, text) {
  const region = document.getElementById(id);
  if (!region) return;
  turn = !turn;
  const told = t(text);
  region.textContent = turn ? told : `${told}\u00a0`;
}

/** Moves and other news. */
export const say = (text) => put("polite", text);
/** Alerts. */
export const alarm = (text) => put("assertive", text);
