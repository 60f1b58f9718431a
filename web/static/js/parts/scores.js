// Scores: totals, every entry with its reason, and how they went.

import { get, mayChange } from "../lib/api.js";
import { build, byId, fill, h, sign } from "../lib/dom.js";
import { chooseSign } from "./own-sign.js";

export class Scores {
  constructor(store) {
    this.store = store;
    /** @type {Set<string>} */ this.open = new Set();
    this.asked = "";
  }

  show() {
    const { seats, turn, last, game, seq } = this.store.data;
    const rows = seats.map((seat) =>
      h(
        "tr",
        { class: turn.seats.includes(seat.seat) ? "to-move" : null },
        h("th", { scope: "row" }, h("span", { class: "seat-name" }, signOf(seat), h("span", { translate: "no" }, seat.name), h("span", { class: "clock-left", "data-clock": String(seat.seat) }))),
        h("td", {}, last?.points != null && last.seat === seat.seat ? h("span", { class: "gain" }, signed(last.points)) : null, h("span", { class: "total" }, String(seat.total))),
      ),
    );
    const table = h("table", { class: "totals" }, h("caption", { class: "hidden" }, "Totals"), h("tbody", {}, ...rows));
    this.chart ??= h("div", { class: "chart-place" });
    fill(byId("scores"), table);
    fill(byId("sheets"), this.part("chart", "Scores over time", this.chart), ...seats.map((seat) => this.part(`sheet-${seat.seat}`, `Score sheet of ${seat.name}`, sheet(seat, game))));
    const now = `${game.id}:${seq}`;
    if (this.open.has("chart") && this.asked !== now) this.draw(now);
  }

  part(key, title, content) {
    const box = h("details", { open: this.open.has(key) }, h("summary", { "data-key": key }, title), content);
    box.addEventListener("toggle", () => {
      if (box.open) this.open.add(key);
      else this.open.delete(key);
      const { game, seq } = this.store.data;
      if (key === "chart" && box.open && this.asked !== `${game.id}:${seq}`) this.draw(`${game.id}:${seq}`);
    });
    return box;
  }

  async draw(now) {
    this.asked = now;
    const { chart, names, totals } = await get("/api/journal/chart");
    const head = h("tr", {}, h("th", { scope: "col" }, "Row"), ...names.map((name) => h("th", { scope: "col", class: "number", translate: "no" }, name)));
    const body = totals.map((one) => h("tr", {}, h("td", {}, one.n ? String(one.n) : "Start"), ...one.scores.map((score) => h("td", { class: "number" }, String(score)))));
    fill(
      this.chart,
      build(chart),
      h("details", {}, h("summary", {}, "The same as a table"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Scores after each row" }, h("table", { class: "lines" }, h("thead", {}, head), h("tbody", {}, ...body)))),
    );
  }
}

/** A person's sign; whoever may change the table may choose another one by it. */
function signOf({ seat, name, sign: shown }) {
  if (!mayChange()) return sign(shown);
  return h("button", { type: "button", class: "sign-button", "data-key": `sign-${seat}`, "aria-label": `Choose the sign of ${name}`, onclick: () => chooseSign(name) }, sign(shown));
}

function sheet(seat, game) {
  if (seat.lines.length === 0) return h("p", { class: "soft" }, "Nothing yet.");
  return h(
    "table",
    { class: "lines" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What for"), h("th", { scope: "col" }, "Rule"), h("th", { scope: "col", class: "number" }, "Points"))),
    h(
      "tbody",
      {},
      ...seat.lines.map((line) => h("tr", {}, h("td", {}, line.text), h("td", {}, h("a", { href: `/rules/${game.name}#${line.rule}` }, line.rule)), h("td", { class: "number" }, signed(line.points)))),
    ),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: "2" }, "Total"), h("td", { class: "number" }, String(seat.total)))),
  );
}

export const signed = (points) => (points > 0 ? `+${points}` : String(points).replace("-", "\u2212"));
