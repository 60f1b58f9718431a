// Spectra: pick pieces on the board and see what they yield; what can be made, what is left, what is still wanted.

import { get, mayChange } from "../lib/api.js";
import { byId, fill, h, sign } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { ruleLine } from "../parts/alert.js";
import { AdvisedPanel } from "./advised.js";
import { verdictBox } from "./pictures.js";

const PLACE = /^seat(\d)\.(trees|supply)(?:\.(new|more|\d+))?(?:\.([A-Z]\d)(?:\.\d+)?)?$/;

export class GamePanel extends AdvisedPanel {
  constructor(store, act) {
    super(store, act);
    /** @type {string[]} */ this.picks = [];
    /** @type {string|null} */ this.took = null;
    /** @type {string|null} */ this.source = null;
  }

  rest() {
    super.rest();
    this.picks = [];
    this.took = null;
    this.source = null;
    this.decorate();
    const text = "Tap two pieces of the supply to see what they yield. Tap any piece to add it, or to correct what was read.";
    fill(byId("cell"), h("p", { class: "soft" }, text));
  }

  decorate() {
    for (const cell of byId("board-place").querySelectorAll("[data-spot]")) {
      const picked = this.picks.includes(cell.dataset.spot);
      cell.classList.toggle("picked", picked);
      if (picked) cell.setAttribute("aria-selected", "true");
    }
  }

  async open(spot, piece, byKey) {
    const found = PLACE.exec(spot);
    if (!found || !this.advice) return;
    this.spot = spot;
    this.asked += 1;
    const seat = Number(found[1]);
    const mine = this.advice.movers.includes(seat) && found[2] === "supply" && found[4];
    if (mine) this.pick(spot);
    else this.picks = [];
    this.act.mark(spot);
    this.decorate();
    if (mine && this.picks.length) await this.exchange(byKey);
    else this.place(spot, found, byKey);
  }

  /** Choose a piece to give, or leave it; of a third one the first goes. */
  pick(spot) {
    const seat = spot.split(".")[0];
    this.picks = this.picks.filter((one) => one.split(".")[0] === seat);
    if (this.picks.includes(spot)) this.picks = this.picks.filter((one) => one !== spot);
    else this.picks = [...this.picks, spot].slice(-2);
    this.took = null;
    this.source = null;
  }

  /** From the piece that is asked for to those that are given for it, from each of them to the one before. */
  stepBack() {
    if (!this.picks.length || byId("cell").querySelector("[data-back]")) return super.stepBack();
    if (this.took) [this.took, this.source] = [null, null];
    else this.picks.pop();
    if (!this.picks.length) this.act.back();
    else {
      this.decorate();
      this.exchange(false);
    }
    return true;
  }

  codes() {
    return this.picks.map((spot) => PLACE.exec(spot)[4]);
  }

  seat() {
    return Number(PLACE.exec(this.picks[0])[1]);
  }

  /** Shows the exchanges that the chosen pieces allow. */
  async exchange(byKey) {
    const codes = this.codes();
    const seat = this.seat();
    const adds = this.advice.adds.filter((add) => add.seat === seat && codes.includes(add.piece));
    const yields = this.yields(seat, codes);
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, `Give ${this.pictures.names(codes)}`);
    fill(
      byId("cell"),
      title,
      h(
        "div",
        { class: "tools" },
        ...(mayChange() ? adds.map((add) => h("button", { type: "button", class: "primary", "data-key": `add-${add.piece}`, onclick: () => this.act.tell({ event: add.event }) }, `Add ${this.pictures.name(add.piece)} to the trees`)) : []),
        h("button", { type: "button", class: "quiet small", "data-key": "close", onclick: () => this.act.back() }, "Leave it"),
      ),
      codes.length < 2 && h("p", { class: "soft" }, yields.length ? "With a second piece it makes:" : "No second piece makes anything of it now. Tap one to see why."),
      codes.length === 2 && h("p", {}, yields.length ? "For which piece?" : "These two can be exchanged for nothing now. Choose a piece to see why not."),
      h("ul", { class: "picks" }, ...yields.map((make) => h("li", {}, this.pictures.button(make.took, () => this.wish(make), { "data-key": `take-${make.took}`, "aria-pressed": String(make.took === this.took) })))),
      codes.length === 2 && this.anyPiece(yields),
      h("div", { id: "verdict" }),
      mayChange() && this.wrong(this.picks[this.picks.length - 1]),
    );
    if (byKey && codes.length === 2) title.focus(); // of one piece the second one is chosen on the board as well
    if (codes.length === 2 && this.took) await this.judge();
    else say(`${title.textContent}. ${yields.length ? `Makes ${yields.map((make) => this.pictures.name(make.took)).join(", ")}.` : "Makes nothing now."}`);
  }

  /** Returns the pieces that all of these pieces together can be exchanged for. */
  yields(seat, codes) {
    if (seat !== this.advice.seat) return [];
    const holds = (way) => codes.every((code, i) => way.gave.filter((one) => one === code).length >= codes.slice(0, i + 1).filter((one) => one === code).length);
    return this.advice.makes.filter((make) => make.ways.some(holds));
  }

  anyPiece(yields) {
    const able = new Set(yields.map((make) => make.took));
    const rest = Object.keys(this.advice.pieces).filter((code) => !able.has(code));
    const box = h(
      "details",
      { open: this.took !== null && !able.has(this.took) },
      h("summary", { "data-key": "why-not" }, "Another piece: why not?"),
      h("ul", { class: "picks" }, ...rest.map((code) => h("li", {}, this.pictures.button(code, () => this.wish({ took: code }), { "data-key": `take-${code}`, "aria-pressed": String(code === this.took) })))),
    );
    return box;
  }

  /** Ask for a piece: with one piece given, its first partner is chosen as well. */
  async wish(make) {
    this.took = make.took;
    this.source = null;
    const codes = this.codes();
    if (codes.length === 1) {
      const way = make.ways.find((one) => one.gave.includes(codes[0]));
      const other = [...way.gave];
      other.splice(other.indexOf(codes[0]), 1);
      const spots = [...byId("board-place").querySelectorAll(`[data-spot^="seat${this.seat()}.supply.${other[0]}."]`)].map((cell) => cell.dataset.spot);
      const spot = spots.find((one) => !this.picks.includes(one));
      if (spot) this.picks.push(spot);
      this.decorate();
    }
    await this.exchange(false);
    byId("cell").querySelector(`[data-key="take-${this.took}"]`)?.focus({ preventScroll: true });
  }

  /** Whom a piece can come from: players that hold it first, then the bag, then the others, to ask why not. */
  sources(seat) {
    const others = this.advice.seats.filter((one) => one.seat !== seat);
    const holds = others.filter((one) => one.supply.includes(this.took));
    const rest = others.filter((one) => !one.supply.includes(this.took));
    const of = (one) => ({ value: `player ${one.seat + 1}`, text: one.name });
    return [...holds.map(of), { value: "bag", text: "the bag" }, ...rest.map(of)];
  }

  async judge() {
    const seat = this.seat();
    const sources = this.sources(seat);
    this.source ??= sources[0].value;
    const give = this.codes().map((code) => this.pictures.name(code)).join(" + ");
    const text = `player ${seat + 1} gives ${give} for ${this.pictures.name(this.took)} from ${this.source}`;
    const asked = (this.asked += 1);
    try {
      const found = await get("/api/advice/verdict", { text });
      if (asked !== this.asked) return;
      const select = h("select", { id: "source", "data-key": "source", onchange: (event) => { this.source = event.target.value; this.judge(); } }, ...sources.map((one) => h("option", { value: one.value, selected: one.value === this.source }, one.text)));
      fill(
        byId("verdict"),
        h("div", { class: "source" }, h("label", { for: "source" }, "It comes from", select)),
        verdictBox(found, ruleLine),
        found.legal && mayChange() && h("button", { type: "button", class: "primary", "data-key": "exchange", onclick: () => this.act.tell({ event: found.event }) }, "Make this exchange"),
      );
      const rules = found.breaches.map((breach) => `Rule ${breach.rule}: ${breach.text}`).join(" ");
      say(`${found.legal ? "Allowed" : "Not allowed"}: ${found.sentence} ${rules}${found.problem}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** A place that is not the mover's supply: what stands there, and corrections. */
  place(spot, found, byKey) {
    const [, seat, heap, slot, code] = found;
    const who = this.advice.seats[Number(seat)];
    const stands = heap === "trees" && /^\d+$/.test(slot ?? "") ? this.tree(spot) : code ? [code] : [];
    const words = heap === "trees" ? `trees of ${who.name}` : `supply of ${who.name}`;
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, code ? `${this.pictures.name(code)}, ${words}` : stands.length ? `${this.pictures.names(stands)}, ${words}` : `Nothing here: ${words}`);
    fill(
      byId("cell"),
      title,
      h("p", { class: "soft" }, heap === "trees" ? "Pieces in trees are protected (SPA-12)." : this.advice.movers.includes(Number(seat)) ? "" : "It is not this player's turn."),
      mayChange() && stands.length > 0 && h("div", {}, ...stands.map((one) => this.wrong(heap === "trees" && slot !== "more" ? `seat${seat}.trees.${slot}.${one}` : spot, one))),
      mayChange() && h("div", { class: "tools spaced" }, h("button", { type: "button", class: "small", "data-key": "new", onclick: () => this.another(`seat${seat}.${heap}.new`) }, "The camera missed a piece here"), h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    say(title.textContent ?? "");
  }

  /** Codes of the pieces of a tree, as the board names them. */
  tree(spot) {
    const label = byId("board-place").querySelector(`[data-spot="${CSS.escape(spot)}"]`)?.getAttribute("aria-label") ?? "";
    const names = Object.entries(this.advice.pieces).map(([code, piece]) => [piece.name, code]);
    const stack = label.split(", ")[1] ?? "";
    return stack.split(" then ").flatMap((name) => names.filter(([one]) => one === name).map(([, code]) => code));
  }

  wrong(spot, code = null) {
    const name = this.pictures.name(code ?? PLACE.exec(spot)[4]);
    return h(
      "div",
      { class: "tools spaced" },
      h("strong", {}, `Is ${name} read wrongly?`),
      h("button", { type: "button", class: "small", "data-key": "another", onclick: () => this.another(spot) }, "It is another piece"),
      h("button", { type: "button", class: "small", "data-key": "nothing", onclick: () => this.preview(spot, "") }, "It is not there"),
    );
  }

  /** The card beside the board. */
  tell() {
    const { advice } = this;
    const of = advice.seats[advice.seat];
    const choose = h(
      "select",
      { id: "about", "data-key": "about", onchange: (event) => { this.about = Number(event.target.value); this.news(); } },
      ...advice.seats.map((one) => h("option", { value: String(one.seat), selected: one.seat === advice.seat }, one.name)),
    );
    fill(
      byId("told"),
      h(
        "div",
        { class: "told-part" },
        h("h3", {}, "What can I make?"),
        h("div", { class: "source" }, h("label", { for: "about" }, "Who asks?", choose)),
        h("p", { class: "soft" }, advice.makes.length ? (advice.movers.includes(advice.seat) ? `All exchanges ${of.name} can make now, pieces for their trees first.` : `If it were ${of.name}'s turn now, pieces for their trees first.`) : `${of.name} has no exchange to make with this supply.`),
        h("ul", { class: "makes", "aria-label": `What ${of.name} can make` }, ...advice.makes.map((make) => this.make(make))),
      ),
      h("div", { class: "told-part" }, h("h3", {}, "Still wanted"), h("ul", { class: "makes" }, ...advice.seats.map((one) => this.wants(one)))),
      h("div", { class: "told-part" }, h("h3", {}, "In the bag"), this.bag()),
    );
  }

  make(make) {
    const may = mayChange() && this.advice.movers.includes(this.advice.seat);
    const ways = make.ways.flatMap((way) => way.sources.map((source) => ({ way, source })));
    return h(
      "li",
      { class: make.grows ? "make grows" : "make" },
      this.pictures.draw(make.took),
      h(
        "div",
        {},
        h("div", { class: "make-name" }, this.pictures.name(make.took), make.grows && h("span", { class: "tag" }, "for your own trees")),
        h(
          "ul",
          { class: "ways-of" },
          ...ways.map(({ way, source }) => {
            const text = `${this.pictures.names(way.gave)}, from ${source.name}`;
            return h(
              "li",
              {},
              may
                ? h("button", { type: "button", class: "small", "data-key": `make-${source.text}`, "aria-label": `Make ${this.pictures.name(make.took)} of ${text}`, onclick: () => this.act.tell({ event: source.event }) }, h("span", {}, text))
                : h("span", {}, text),
            );
          }),
        ),
      ),
    );
  }

  wants(one) {
    const seat = this.store.data.seats[one.seat];
    const list = one.wanted.map(({ piece, count }) => (count > 1 ? `${count} × ${this.pictures.name(piece)}` : this.pictures.name(piece))).join(", ");
    return h("li", { class: "hand-chips" }, h("span", { class: "hand-name" }, sign(seat.sign), h("span", { translate: "no" }, one.name)), h("span", {}, `${one.complete} of 3 trees; wants ${list || "nothing"}`));
  }

  bag() {
    const { bag } = this.advice;
    const sum = (counts) => counts.reduce((all, one) => all + one, 0);
    const cell = (count) => h("td", { class: count ? null : "none" }, String(count));
    const columns = [0, 1, 2].map((i) => sum(bag.map((left) => left.counts[i])));
    return h(
      "table",
      { class: "counts" },
      h("caption", { class: "hidden" }, "Pieces in the bag by color and size"),
      h("thead", {}, h("tr", {}, ...["Color", "Large", "Medium", "Small", "All"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...bag.map((left) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "swatch" }, this.pictures.draw(`${left.letter}3`), left.color)), ...left.counts.map(cell), cell(sum(left.counts))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"), ...columns.map(cell), cell(sum(columns)))),
    );
  }
}
