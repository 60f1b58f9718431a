// The wall: big names and scores, whose turn, the last move, the alert. No controls; a few pixels of drift against burn-in.

import { byId, fill, h } from "./lib/dom.js";
import { Store, showState } from "./lib/store.js";
import { showBlind } from "./parts/blind.js";
import { ruleLine } from "./parts/alert.js";
import { Board } from "./parts/board.js";

const DRIFT_MS = 60000;
const store = new Store(true);
showState(store, byId("state"));

const place = byId("board-place");
const board = place && new Board(place, () => {});

store.on("data", ({ data }) => {
  if (Boolean(data.game) !== Boolean(board)) {
    location.reload();
    return;
  }
  if (!data.game) return;
  fill(
    byId("wall-scores"),
    ...data.seats.map((seat) =>
      h(
        "div",
        { class: data.turn.seats.includes(seat.seat) ? "wall-seat to-move" : "wall-seat" },
        h("span", { class: "wall-name" }, seat.name, data.turn.seats.includes(seat.seat) && h("span", { class: "hidden" }, " (to move)")),
        h("span", { class: "wall-total" }, String(seat.total)),
      ),
    ),
  );
  byId("wall-turn").textContent = data.outcome ? data.outcome.sentence : data.turn.text;
  byId("wall-last").textContent = data.last ? `${data.last.sentence}${data.last.points == null ? "" : ` ${data.last.points} points.`}` : "";
  board.show(data.board);
  const alert = byId("alert");
  byId("wall-last").hidden = Boolean(data.alert);
  alert.hidden = !data.alert;
  if (data.alert) {
    alert.className = `alert wall-alert ${data.alert.kind}`;
    fill(alert, h("h2", {}, data.alert.title), h("p", {}, data.alert.text), ...data.alert.breaches.map(ruleLine), data.alert.do && h("p", {}, data.alert.do));
  }
});

const waits = () => {
  byId("wall-setup").hidden = !store.eyes?.setup.open;
  showBlind(store);
};
if (byId("wall-setup")) {
  store.on("eyes", waits);
  store.on("data", waits);
}
setInterval(() => document.body.classList.toggle("shifted"), DRIFT_MS);
store.start();
