// History: the newest row first; what was undone is folded, never lost. A row can be looked at, and gone back to.

import { mayChange } from "../lib/api.js";
import { arrange, byId, dialog, fill, h } from "../lib/dom.js";
import { saysAsMuch, t } from "../lib/language.js";
import { signed } from "./scores.js";

const COUNTS = new Set(["move", "chance", "agreed", "correct", "position", "reread"]);

export class History {
  /** @param {any} store @param {{look: (n: number) => void, undo: (to: number, why: string) => Promise<boolean>}} act */
  constructor(store, act) {
    this.store = store;
    this.act = act;
    /** @type {Set<number>} */ this.open = new Set();
    this.list = h("ol", { class: "rows", reversed: true, "aria-label": "Rows, the newest first", onkeydown: walk });
    /** Entries that are shown, by row: a long history is not built anew for each row. @type {Map<number, {from: any[], item: HTMLElement}>} */
    this.entries = new Map();
  }

  show(shown) {
    const { rows, undone, data } = this.store;
    const names = (data?.seats ?? []).map((seat) => seat.name).join();
    const before = this.entries;
    this.entries = new Map();
    /** @type {HTMLElement[]} */ const items = [];
    const entry = (from, make) => {
      const now = from.find((row) => row.n === shown)?.n;
      const made = [...from, from.length > 1 || undone.has(from[0].n), now, names];
      const known = before.get(from[0].n);
      const same = known?.from.length === made.length && made.every((one, i) => one === known.from[i]);
      const item = same ? known.item : make();
      this.entries.set(from[0].n, { from: made, item });
      items.push(item);
    };
    let fold = [];
    const close = () => {
      if (fold.length) entry(fold, () => this.fold(fold, shown));
      fold = [];
    };
    for (const row of [...rows].reverse()) {
      if (undone.has(row.n)) fold.push(row);
      else {
        close();
        entry([row], () => h("li", { value: String(row.n) }, this.row(row, shown, false)));
      }
    }
    close();
    const { scrollTop } = this.list;
    arrange(this.list, items);
    const content = rows.length ? this.list : h("p", { class: "soft" }, "Nothing has happened yet.");
    if (!rows.length || !this.list.isConnected) fill(byId("history"), content);
    this.list.scrollTop = scrollTop;
    stops(this.list);
    const last = this.lastAct();
    fill(
      byId("history-tools"),
      rows.length > 0 && h("button", { type: "button", class: "small", "data-key": "replay", onclick: () => this.act.look(rows.length) }, "Replay"),
      mayChange() && last && h("button", { type: "button", class: "small", "data-key": "undo", onclick: () => this.askUndo(last.n - 1) }, "Undo"),
    );
  }

  /** The last row that a person or the table brought about: what the program dealt after it goes back with it. */
  lastAct() {
    return this.store.rows.findLast((row) => COUNTS.has(row.kind) && row.source !== "software" && !this.store.undone.has(row.n));
  }

  row(row, shown, folded) {
    const more = [!saysAsMuch(row.sentence, row.text) && !row.text.includes("??") && row.text, row.told, row.why && `reason: ${row.why}`].filter(Boolean).map(t).join(" · ");
    const kind = ["row", row.kind, shown === row.n && "now", folded && "folded"].filter(Boolean).join(" ");
    return h(
      "button",
      { type: "button", class: kind, tabindex: "-1", "data-key": `row-${row.n}`, onclick: () => this.act.look(row.n) },
      h("span", { class: "hidden" }, folded ? "Undone row " : "Row "),
      h("span", { class: "row-number" }, String(row.n)),
      h("span", { class: "row-text" }, row.sentence),
      h("span", { class: "row-points" }, row.points == null ? "" : signed(row.points), row.points != null && h("span", { class: "hidden" }, " points")),
      h("span", { class: "row-more" }, more),
      shown === row.n && row.proof && h("span", { class: "row-lines" }, h("span", {}, "Proof: ", h("code", { class: "long" }, row.proof))),
      shown === row.n && row.lines && h("span", { class: "row-lines" }, ...row.lines.map((line) => h("span", { class: "row-line" }, `${line.points ? `${signed(line.points)} ` : ""}${line.text} (${line.rule})`))),
    );
  }

  /** Undone rows behind one line. */
  fold(rows, shown) {
    const first = rows[rows.length - 1].n;
    const box = h(
      "details",
      { class: "fold", open: this.open.has(first) },
      h("summary", { tabindex: "-1", "data-key": `fold-${first}` }, rows.length === 1 ? `Row ${first} was undone` : `Rows ${first} to ${rows[0].n} were undone`),
      h("ol", { class: "rows" }, ...rows.map((row) => h("li", { value: String(row.n) }, this.row(row, shown, true)))),
    );
    box.addEventListener("toggle", () => (box.open ? this.open.add(first) : this.open.delete(first)));
    return h("li", {}, box);
  }

  askUndo(to) {
    const why = h("input", { id: "undo-why", maxlength: "200", list: "undo-reasons", autocomplete: "off" });
    const reasons = h("datalist", { id: "undo-reasons" }, ...["taken back by agreement", "entered by mistake", "read wrongly"].map((text) => h("option", { value: text })));
    const last = this.lastAct();
    const dealt = last && this.store.rows.some((row) => row.n > last.n && COUNTS.has(row.kind) && !this.store.undone.has(row.n));
    const what = last && last.n === to + 1 ? `This takes back row ${last.n}: ${last.sentence}${dealt ? " What the program dealt after it goes back, too." : ""}` : to ? `The game goes back to where it stood after row ${to}.` : "The game goes back to its start.";
    const form = h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          box.close();
          await this.act.undo(to, why.value);
        },
      },
      h("p", {}, what),
      h("p", { class: "soft" }, "Nothing is lost: undone rows stay in the history."),
      h("label", { for: "undo-why" }, "Why? (optional)"),
      why,
      reasons,
      h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"), h("button", { type: "submit", class: "primary" }, "Undo")),
    );
    const box = dialog("Undo", form);
    why.focus();
  }
}

const entries = (list) => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".row,summary")].filter((one) => one.checkVisibility()));

/** The record is one tab stop: the row that is looked at, else the newest, else its panel, which may scroll. */
function stops(list, here = list.querySelector(".row.now") ?? list.querySelector(".row,summary")) {
  for (const one of list.querySelectorAll('[tabindex="0"]')) one.setAttribute("tabindex", "-1");
  here?.setAttribute("tabindex", "0");
  const panel = byId("history").closest(".tab-panel");
  if (here === null) panel?.setAttribute("tabindex", "0");
  else panel?.removeAttribute("tabindex");
}

/** The arrow keys go from row to row. */
function walk(event) {
  const all = entries(event.currentTarget);
  const here = all.indexOf(event.target);
  const places = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 };
  const next = all[places[event.key] ?? -1];
  if (here < 0 || !next) return;
  event.preventDefault();
  stops(event.currentTarget, next);
  next.focus();
}
