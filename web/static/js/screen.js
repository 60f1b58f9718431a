// The wall, to be read from five meters: who leads, whose turn, the last verdict, the camera, what is open; at the end who won,
// by how much, and how it went. No controls; a few pixels of drift against burn-in.

import { t } from "./lib/language.js";
import { get } from "./lib/api.js";
import { build, byId, fill, h, sign } from "./lib/dom.js";
import { Store, showState } from "./lib/store.js";
import { points } from "./lib/words.js";
import { ruleLine } from "./parts/alert.js";
import { showBlind } from "./parts/blind.js";
import { showClock } from "./parts/clock.js";
import { Board } from "./parts/board.js";
import { startHeard } from "./parts/heard.js";

const DRIFT_MS = 60000;
/** Rows that tell what happened in the game, and the verdict in a word. */
const VERDICTS = { move: "Allowed", chance: "Seen", agreed: "Let stand", refused: "Refused", asked: "Asked", undo: "Taken back", correct: "Corrected", position: "Set up", reread: "Corrected" };
const store = new Store(true);
showState(store, byId("state"));

const place = byId("board-place");
const board = place && new Board(place, () => {});
let charted = "";

function seatLine(seat, { turn, leads }) {
  const moves = turn.seats.includes(seat.seat);
  const ahead = leads.includes(seat.seat);
  return h(
    "div",
    { class: moves ? "wall-seat to-move" : "wall-seat" },
    h("span", { class: "wall-name" }, sign(seat.sign), h("span", { translate: "no" }, seat.name), moves && h("span", { class: "hidden" }, " (plays now)"), ahead && h("span", { class: "wall-tag" }, leads.length > 1 ? "level in front" : "leads"), h("span", { class: "wall-clock", "data-clock": String(seat.seat) })),
    h("span", { class: "wall-total" }, String(seat.total)),
  );
}

/** The ranking of a game that is over, with how far each place is behind the one before it. */
function ranking({ seats, outcome }) {
  const rank = outcome.places.map((_, i) => 1 + outcome.places.slice(0, i).reduce((sum, one) => sum + one.length, 0));
  const best = (i) => seats[outcome.places[i][0].seat].total;
  return outcome.places.flatMap((places, i) =>
    places.map(({ seat }) => {
      const one = seats[seat];
      const gap = i ? Math.abs(best(i - 1) - one.total) : 0;
      return h(
        "div",
        { class: "wall-seat" },
        h("span", { class: "wall-name" }, h("span", { class: "wall-rank" }, `${rank[i]}.`), sign(one.sign), h("span", { class: "wall-who" }, h("span", { translate: "no" }, one.name), gap > 0 && h("span", { class: "wall-tag" }, `${points(gap)} behind`))),
        h("span", { class: "wall-total" }, String(one.total)),
      );
    }),
  );
}

/** How the scores went, once for each end of a game. */
async function drawChart({ game, seq, outcome }) {
  const now = outcome && game.scored ? `${game.id}:${seq}` : "";
  if (now === charted) return;
  charted = now;
  const box = byId("wall-chart");
  if (!now) {
    fill(box);
    return;
  }
  const { chart } = await get("/api/journal/chart");
  if (now === charted) fill(box, build(chart));
}

store.on("data", ({ data }) => {
  if (Boolean(data.game) !== Boolean(board)) {
    location.reload();
    return;
  }
  if (!data.game) return;
  document.body.dataset.game = data.game.name;
  fill(byId("wall-scores"), ...(data.outcome ? ranking(data) : data.seats.map((seat) => seatLine(seat, data))));
  byId("wall-turn").textContent = t(data.outcome ? data.outcome.sentence : data.turn.text);
  const last = store.rows.findLast((row) => row.kind in VERDICTS && !store.undone.has(row.n));
  const scored = last?.points ? ` ${points(last.points)}.` : "";
  fill(byId("wall-last"), data.outcome ? data.outcome.text : last && h("span", {}, h("strong", {}, `${VERDICTS[last.kind]}: `), `${last.sentence}${scored}`));
  showClock(store);
  board.show(data.board);
  drawChart(data);
  const alert = byId("alert");
  byId("wall-last").hidden = Boolean(data.alert);
  alert.hidden = !data.alert;
  if (data.alert) {
    alert.className = `alert wall-alert ${data.alert.kind}`;
    fill(alert, h("h2", {}, data.alert.title), h("p", {}, data.alert.text), ...data.alert.breaches.map(ruleLine), data.alert.do && h("p", {}, data.alert.do));
  }
});

const waits = () => {
  const { eyes } = store;
  byId("wall-setup").hidden = !eyes?.setup.open;
  byId("wall-camera").hidden = !eyes || eyes.state === "off" || Boolean(eyes.blind && !eyes.playback);
  byId("wall-camera").textContent = t(eyes?.playback?.text ?? (eyes ? `Camera: ${eyes.text}` : ""));
  showBlind(store);
};
if (byId("wall-setup")) {
  store.on("eyes", waits);
  store.on("data", waits);
}
if (board) startHeard(store);
setInterval(() => document.body.classList.toggle("shifted"), DRIFT_MS);
store.start();
