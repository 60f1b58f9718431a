// The evening: commands of whoever leads it, and a look every few seconds whether something has changed.

import { t } from "./lib/language.js";
import { Refusal, get, post } from "./lib/api.js";
import { byId } from "./lib/dom.js";

const PAUSE_MS = 3000;
const place = byId("evening");
const version = Number(place?.dataset.version);
place?.style.setProperty("--lines", place.dataset.lines ?? "10");

/** @param {string} path @param {object} body */
async function send(path, body) {
  const answer = byId("evening-answer");
  answer.className = "answer";
  answer.textContent = "";
  try {
    await post(path, { expected: version, ...body });
    location.reload();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answer.className = "answer bad";
    answer.textContent = t(error.message);
  }
}

/** Fields and games that only some ways of pairing ask for. */
function showFields() {
  const system = byId("system").value;
  for (const field of document.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(system);
  for (const game of byId("game").querySelectorAll("[data-fits]")) game.hidden = !game.dataset.fits.split(" ").includes(system === "tables" ? "tables" : "two");
  if (byId("game").selectedOptions[0]?.hidden) byId("game").value = "";
}
byId("system")?.addEventListener("change", showFields);
if (byId("system")) showFields();

byId("next-round")?.addEventListener("click", () => send("/api/evening/round", {}));
byId("withdraw")?.addEventListener("submit", (event) => {
  event.preventDefault();
  send("/api/evening/withdraw", { player: byId("gone").value });
});
byId("begin")?.addEventListener("submit", (event) => {
  event.preventDefault();
  send("/api/evening", {
    title: byId("title").value,
    system: byId("system").value,
    game: byId("game").value,
    players: byId("players").value.split("\n").filter((line) => line.trim()),
    teams: byId("system").value === "teams" ? Number(byId("teams").value) || 0 : 0,
    rounds: ["swiss", "tables"].includes(byId("system").value) ? Number(byId("rounds").value) || null : null,
  });
});

/** True if somebody is filling in a form, which a fresh page would take away. */
const writing = () => byId("begin-card")?.open && byId("players").value !== "";

async function follow() {
  try {
    if ((await get("/api/evening")).version !== version && !writing()) return location.reload();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // the next time
  }
  setTimeout(follow, PAUSE_MS);
}

setTimeout(follow, PAUSE_MS);
