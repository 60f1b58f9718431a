// The panel below the board: what may go on a cell and for how many points, why not, and what really lies there.

import { Refusal, get, mayChange, post } from "../lib/api.js";
import { build, byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { points } from "../lib/words.js";
import { ruleLine } from "./alert.js";
import { pieceButton } from "./pieces.js";

const layLabel = (way) => `Place it like this: ${way.text}, ${points(way.points)}`;

export class CellPanel {
  /**
   * @param {any} store
   * @param {{tell: (command: any) => Promise<boolean>, back: () => void, mark: (spot: string|null) => void, tryOut: (spot: string, picture: any, label: string, lay: (() => void)|null) => void}} act
   */
  constructor(store, act) {
    this.store = store;
    this.act = act;
    this.spot = null;
    this.asked = 0;
    /** Legal ways to lay a piece on the opened cell, the best first. @type {any[]} */ this.ways = [];
    /** The way that is shown. */ this.nth = 0;
    /** @type {Promise<void>} */ this.learning = Promise.resolve();
    /** Row up to which the table is known that the panel shows. */ this.seen = 0;
  }

  /** Fetch what the game tells about the position; the panel for cells needs nothing. */
  async news() {}

  /** The table has changed: what is tapped from now on waits for the news; what is told by the old panel is refused. */
  async learn() {
    const { seq } = this.store.data;
    this.busy(true);
    const learning = (this.learning = this.news());
    await learning;
    if (learning !== this.learning) return;
    this.seen = seq;
    this.busy(false);
  }

  /** Marks whether the panel still shows the position before. */
  busy(is) {
    for (const part of [byId("cell"), byId("told")]) part?.setAttribute("aria-busy", String(is));
  }

  /**
   * Wait for the news that are on their way: else a tap would be judged by the position before.
   * @returns {Promise<boolean>} whether the table is still the one that was tapped
   */
  async learned() {
    const heard = () => new Promise((next) => this.store.addEventListener("data", next, { once: true }));
    if (!this.store.data) await heard();
    // Rows come by the stream, the position only after them: what is tapped below a row means the position with it.
    while ((this.store.rows.at(-1)?.n ?? 0) > this.store.data.seq) await heard();
    const seq = this.store.data?.seq;
    let last = null;
    while (last !== this.learning) {
      last = this.learning;
      await last;
    }
    if (this.store.data?.seq === seq) return true;
    say("The table has changed. Tap once more.");
    return false;
  }

  /** Nothing chosen: say what can be done. */
  rest() {
    this.spot = null;
    this.ways = [];
    this.asked += 1;
    this.act.mark(null);
    const text = "Tap a tile in your hand to see where it fits. Tap a cell to see what can go there, or to correct it.";
    fill(byId("cell"), h("p", { class: "soft" }, text));
  }

  /** Where the chosen piece fits. */
  fits(piece, spots) {
    if (this.spot) return;
    const best = spots[0];
    const cells = spots.length === 1 ? "1 cell" : `${spots.length} cells`;
    let text = `${piece} fits on ${cells}. Tap a cell to see each way.`;
    if (!best) text = `${piece} fits nowhere now. Tap a cell to see why.`;
    else if (this.store.data?.hints) text = `${piece} fits on ${cells}; at best ${points(best.points)}, on ${best.name}. Tap a cell to see each way.`;
    fill(byId("cell"), h("p", {}, text));
  }

  /** Show one cell. */
  async open(spot, piece, byKey) {
    this.spot = spot;
    this.piece = piece;
    this.ways = [];
    this.act.mark(spot);
    const asked = (this.asked += 1);
    try {
      const found = await get("/api/table/why", { spot, piece });
      if (asked !== this.asked) return;
      this.show(found);
      if (byKey && !this.ways.length) byId("cell").querySelector("h3")?.focus();
    } catch (error) {
      this.fail(error);
    }
  }

  /** One step back, as the panel's own button does it. @returns {boolean} whether there was one */
  stepBack() {
    /** @type {HTMLElement|null} */ const button = byId("cell").querySelector("[data-back]");
    if (button) button.click();
    else if (this.spot) this.act.back();
    else return false;
    return true;
  }

  /** The same place was tapped once more: make the one move that it stands for, or show the next of several. */
  tappedAgain() {
    if (this.ways.length > 1) {
      this.turn();
      return true;
    }
    const plays = /** @type {NodeListOf<HTMLButtonElement>} */ (byId("cell").querySelectorAll("[data-plays]:not(:disabled)"));
    if (plays.length !== 1) return false;
    plays[0].click();
    return true;
  }

  /** The same cell again, after the table has changed. */
  again() {
    if (this.spot) this.open(this.spot, this.piece, false);
  }

  show(found) {
    const asks = found.holds === null;
    this.ways = asks ? found.ways : [];
    this.nth = 0;
    fill(
      byId("cell"),
      h(
        "h3",
        { tabindex: "-1", "data-key": "cell-title" },
        `${found.name.charAt(0).toUpperCase()}${found.name.slice(1)}`,
        found.name.toLowerCase() !== found.spot && h("code", {}, found.spot),
        h("span", { class: "soft" }, found.holds ? `holds ${found.holds.name}` : "is empty"),
      ),
      asks && h("p", {}, found.sentence),
      asks && this.way(),
      asks && h("div", {}, ...found.breaches.map(ruleLine)),
      mayChange() && found.holds && this.misread(found),
      h(
        "div",
        { class: "tools spaced" },
        mayChange() && !asks && h("button", { type: "button", class: "small", "data-key": "nothing", onclick: () => this.preview(found.spot, "") }, "Nothing lies here"),
        mayChange() && !asks && h("button", { type: "button", class: "small", "data-key": "another", onclick: () => this.another(found.spot) }, "Another piece"),
        mayChange() && asks && h("button", { type: "button", class: "small", "data-key": "another", onclick: () => this.another(found.spot) }, "The camera missed a piece here"),
        h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close"),
      ),
    );
    const first = found.breaches[0];
    this.tryOut();
    say(`${found.name}. ${asks ? found.sentence : `holds ${found.holds.name}.`} ${asks && first ? `Rule ${first.rule}: ${first.text}` : ""}`);
  }

  /** One legal way, its points and the way to the next one: the same piece turned, or another piece. */
  way() {
    const way = this.ways[this.nth];
    if (!way) return null;
    const many = this.ways.length > 1;
    return h(
      "div",
      { class: "way" },
      way.lies ? build(way.lies.picture) : null,
      h(
        "div",
        {},
        h("div", { class: "way-points" }, `${points(way.points)}`),
        h("div", { class: "way-reason" }, way.reason),
        many && h("div", { class: "way-reason" }, `Way ${this.nth + 1} of ${this.ways.length}. Tap the cell again for the next one.`),
      ),
      h(
        "div",
        { class: "tools" },
        mayChange() &&
          h("button", { type: "button", class: "primary", "data-plays": true, "data-key": `way-${way.text}`, "aria-label": layLabel(way), onclick: () => this.lay() }, "Place it like this"),
        many && h("button", { type: "button", "data-key": "turn", onclick: () => this.turn() }, this.piece ? "Turn it" : "Next way"),
      ),
    );
  }

  /** Try the next way on the same cell. */
  turn() {
    this.nth = (this.nth + 1) % this.ways.length;
    byId("cell").querySelector(".way")?.replaceWith(this.way());
    if (byId("cell").contains(document.activeElement) || document.activeElement === document.body) byId("cell").querySelector('[data-key="turn"]')?.focus({ preventScroll: true });
    this.tryOut();
    const way = this.ways[this.nth];
    say(`Way ${this.nth + 1} of ${this.ways.length}: ${way.text}, ${points(way.points)}.`);
  }

  lay() {
    this.act.tell({ event: this.ways[this.nth].event });
  }

  /** Draw the way on the board. */
  tryOut() {
    const way = this.ways[this.nth];
    if (way?.lies) this.act.tryOut(this.spot, way.lies.picture, layLabel(way), mayChange() ? () => this.lay() : null);
  }

  /** A filled cell: its other turns, nothing, or another piece, one tap each. */
  misread(found) {
    const turns = h("ul", { class: "pieces" });
    get("/api/table/pieces", { spot: found.spot, piece: found.holds.code }).then(
      ({ pieces }) => {
        for (const piece of pieces) {
          if (piece.code !== found.holds.code) turns.append(h("li", {}, this.choice(found.spot, piece)));
        }
      },
      (error) => this.fail(error),
    );
    return h(
      "div",
      {},
      h("p", {}, h("strong", {}, "Read wrongly? "), "Choose what really lies here."),
      turns,
    );
  }

  choice(spot, piece) {
    return pieceButton(piece, () => this.preview(spot, piece.code), { "aria-pressed": null });
  }

  /** The whole set; then how the chosen one lies. */
  async another(spot) {
    const list = h("ul", { class: "pieces many" });
    const title = h("h3", { tabindex: "-1" }, "Which piece lies here?");
    fill(byId("cell"), title, list, this.cancel(spot));
    title.focus();
    try {
      const { pieces } = await get("/api/table/pieces", { spot });
      for (const piece of pieces) list.append(h("li", {}, pieceButton(piece, () => this.turned(spot, piece), { "aria-pressed": null })));
    } catch (error) {
      this.fail(error);
    }
  }

  async turned(spot, piece) {
    try {
      const { pieces } = await get("/api/table/pieces", { spot, piece: piece.code });
      if (pieces.length === 1) {
        await this.preview(spot, pieces[0].code);
        return;
      }
      const title = h("h3", { tabindex: "-1" }, "How does it lie?");
      fill(byId("cell"), title, h("ul", { class: "pieces" }, ...pieces.map((one) => h("li", {}, this.choice(spot, one)))), this.cancel(spot));
      title.focus();
    } catch (error) {
      this.fail(error);
    }
  }

  cancel(spot) {
    return h("div", { class: "tools" }, h("button", { type: "button", class: "quiet small", "data-back": true, onclick: () => this.open(spot, this.piece, true) }, "Back"));
  }

  /** Shows the changes that a correction would make. */
  async preview(spot, code, how = null) {
    this.act.mark(spot);
    const asked = (this.asked += 1);
    try {
      const change = await get("/api/table/correction", { spot, piece: code, how });
      if (asked !== this.asked) return;
      if (change.problem) {
        this.refused(change, code, how);
        return;
      }
      const title = h("h3", { tabindex: "-1" }, `Correct ${change.name}`);
      const why = h("input", { id: "why", maxlength: "200", value: "misread" });
      fill(
        byId("cell"),
        title,
        h(
          "div",
          { class: "change" },
          h("div", {}, h("p", {}, change.does), h("ul", {}, ...change.changes.map((text) => h("li", {}, text))), h("label", { for: "why" }, "Why?"), why),
          h("div", { class: "change-board" }, build(change.board)),
        ),
        h(
          "div",
          { class: "tools spaced" },
          h("button", { type: "button", class: "primary", "data-key": "confirm", onclick: () => this.confirm(change, why.value) }, "Correct it"),
          h("button", { type: "button", class: "quiet", "data-back": true, onclick: () => this.open(spot, null, true) }, "Cancel"),
        ),
      );
      title.focus();
      say(`${change.does} ${change.changes.join(" ")}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The rules stand against a correction; the position may be set up all the same. */
  refused(change, code, how) {
    const title = h("h3", { tabindex: "-1" }, "The rules do not allow it");
    fill(
      byId("cell"),
      title,
      h("p", { class: "answer bad" }, change.problem),
      h(
        "div",
        { class: "tools spaced" },
        how === null &&
          h("button", { type: "button", "data-key": "anyway", onclick: () => this.preview(change.spot, code, "position") }, "Set it up this way anyway"),
        h("button", { type: "button", class: "quiet", "data-back": true, onclick: () => this.open(change.spot, null, true) }, "Back"),
      ),
    );
    title.focus();
    say(change.problem);
  }

  async confirm(change, why) {
    const command = { ...change.request, expected: change.seq };
    if (change.kind !== "play") command.why = why;
    try {
      await post(`/api/table/${change.kind}`, command);
      say("Corrected.");
      this.act.back();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    if (!(error instanceof Refusal)) throw error;
    const said = h("p", { class: "answer bad" }, error.message);
    fill(byId("cell"), said, h("div", { class: "tools" }, h("button", { type: "button", class: "quiet small", "data-back": true, onclick: () => this.act.back() }, "Close")));
    say(error.message);
  }
}
