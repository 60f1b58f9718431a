// The end of a game: the ranking with its gaps and how the scores went, in place of everything that was for the last turn.

import { get } from "../lib/api.js";
import { build, byId, fill, h, sign } from "../lib/dom.js";
import { signed } from "./scores.js";

let drawn = "";

/** @param {any} store */
export function showEnding(store) {
  const { outcome, seats, game, seq } = store.data;
  const place = byId("ending");
  document.body.classList.toggle("over", Boolean(outcome));
  place.hidden = !outcome;
  if (!outcome) {
    drawn = "";
    fill(place);
    return;
  }
  const now = `${game.id}:${seq}`;
  if (drawn === now) return;
  drawn = now;
  const chart = h("div", { class: "chart-place" });
  fill(place, outcome.ranking.length > 1 && rankingTable(outcome.ranking, seats), chart);
  if (game.scored) draw(chart, now);
}

/** Places, names, points, and how far each is behind. */
function rankingTable(ranking, seats) {
  const rows = ranking.map((line) =>
    h(
      "tr",
      { class: line.place === 1 ? "first" : null },
      h("td", { class: "place" }, `${line.place}.`),
      h("th", { scope: "row" }, h("span", { class: "seat-name" }, sign(seats[line.seat].sign), h("span", { translate: "no" }, line.name))),
      h("td", { class: "gap soft" }, line.gap ? signed(line.gap) : ""),
      h("td", {}, h("span", { class: "total" }, line.total === undefined ? "" : String(line.total))),
    ),
  );
  return h("table", { class: "totals ranking" }, h("caption", { class: "hidden" }, "Ranking"), h("tbody", {}, ...rows));
}

async function draw(place, now) {
  const { chart, totals } = await get("/api/journal/chart");
  if (now === drawn && totals.length > 2) fill(place, build(chart));
}
