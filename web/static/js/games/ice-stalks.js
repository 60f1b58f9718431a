// Ice Stalks: what the rock allows, what would kill a stalk and why, what stalks may become, rocks left, points.

import { get, mayChange } from "../lib/api.js";
import { build, byId, fill, h, sign } from "../lib/dom.js";
import { t } from "../lib/language.js";
import { say } from "../lib/say.js";
import { points } from "../lib/words.js";
import { ruleLine } from "../parts/alert.js";
import { AdvisedPanel } from "./advised.js";
import { verdictBox } from "./pictures.js";

const STALK = /^(?:stalks|seat(\d)\.stalks)\.((?:[A-Z]\d)+)/;

export class GamePanel extends AdvisedPanel {
  decorate() {}

  rest() {
    super.rest();
    fill(byId("cell"), h("p", { class: "soft" }, "Tap a stalk to see what may go on it, what would kill it, and what it may become. Tap the empty place for a base."));
  }

  async open(spot, piece, byKey) {
    if (!this.advice) return;
    this.spot = spot;
    this.act.mark(spot);
    const asked = (this.asked += 1);
    const found = STALK.exec(spot);
    const growing = spot === "table" || (found && found[1] === undefined && this.advice.stalks.some((one) => one.spot === `stalks.${found[2]}`));
    if (!growing) {
      this.taken(spot, found, byKey);
      return;
    }
    const codes = found ? found[2].match(/../g) : [];
    const future = found && this.advice.stalks.find((one) => one.spot === `stalks.${found[2]}`);
    const name = found ? this.pictures.names(codes) : "The table, for a base";
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, name);
    const place = h("div", { id: "verdict" });
    fill(
      byId("cell"),
      title,
      future && h("p", {}, this.future(future)),
      place,
      mayChange() && h("div", { class: "tools spaced" }, h("strong", {}, found ? "Read wrongly?" : "Something else here?"), ...this.corrections(spot, codes), h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    const color = this.advice.with?.drawn ? this.advice.color : null;
    if (!color) {
      fill(place, h("p", { class: "soft" }, this.advice.hand === "unknown" ? "The rock was not shown: any color may be placed." : "No rock is drawn. Draw one; its color says which piece to place."));
      say(`${name}. ${future ? this.future(future) : ""}`);
      return;
    }
    const on = found ? codes.map((code) => this.pictures.name(code)).join(", ") : "the table";
    try {
      const all = await Promise.all(["large", "medium", "small"].map((size) => get("/api/advice/verdict", { text: `player ${this.advice.turn + 1} places ${color} ${size} on ${on}` })));
      if (asked !== this.asked) return;
      fill(
        place,
        ...all.map((one) =>
          h(
            "div",
            {},
            verdictBox(one, ruleLine),
            one.legal && mayChange() && h("button", { type: "button", class: "primary", "data-plays": true, "data-key": `place-${one.text}`, onclick: () => this.act.tell({ event: one.event }) }, `Place ${one.event.piece.color} ${one.event.piece.size} ${found ? "here" : "as a base"}`),
          ),
        ),
      );
      const allowed = all.filter((one) => one.legal).map((one) => `${one.event.piece.color} ${one.event.piece.size}`);
      const first = all.flatMap((one) => one.breaches)[0];
      say(`${name}. ${allowed.length ? `Allowed: ${allowed.join(" or ")}.` : `Nothing allowed here. ${first ? `Rule ${first.rule}: ${first.text}` : ""}`}`);
    } catch (error) {
      this.fail(error);
    }
  }

  corrections(spot, codes) {
    if (spot === "table") return [h("button", { type: "button", class: "small", "data-key": "another", onclick: () => this.another("table") }, "The camera missed a base")];
    return codes.map((code, i) =>
      h("button", { type: "button", class: "small", "data-key": `level-${i}`, onclick: () => this.level(`${spot}/${i + 1}`, code) }, `${this.pictures.name(code)} (${i + 1})`),
    );
  }

  /** One piece of a stalk: another piece, or nothing. */
  level(spot, code) {
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, `Is ${this.pictures.name(code)} read wrongly?`);
    fill(
      byId("cell"),
      title,
      h(
        "div",
        { class: "tools spaced" },
        h("button", { type: "button", class: "small", "data-key": "another", onclick: () => this.another(spot) }, "It is another piece"),
        h("button", { type: "button", class: "small", "data-key": "nothing", onclick: () => this.preview(spot, "") }, "It is not there"),
        this.cancel(spot.split("/")[0]),
      ),
    );
    title.focus();
  }

  /** A completed stalk. */
  taken(spot, found, byKey) {
    const codes = found ? found[2].match(/../g) : [];
    const seat = found?.[1] === undefined ? null : this.advice.seats[Number(found[1])];
    const scored = seat?.stalks.find((one) => one.stalk.join("") === found[2]);
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, found ? this.pictures.names(codes) : "No completed stalk yet");
    fill(
      byId("cell"),
      title,
      scored ? h("p", {}, `${scored.points} ${scored.points === 1 ? "point" : "points"} for ${seat.name}: ${scored.text} `, h("a", { href: `/rules/ice-stalks#${scored.rule}` }, scored.rule)) : found && h("p", {}, "Completed. The player who placed the small takes it (ICE-16)."),
      h("div", { class: "tools spaced" }, mayChange() && found && h("strong", {}, "Read wrongly?"), ...(mayChange() && found ? this.corrections(spot, codes) : []), h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    say(title.textContent ?? "");
  }

  /** Returns a sentence on what a stalk may become. */
  future(one) {
    if (one.dead) return `Dead, it can never be completed: ${one.why.slice(0, -1).split("; ").map(t).join("; ")}.`;
    const high = one.lowest === one.highest ? `${one.highest} high` : `${one.lowest} to ${one.highest} high`;
    return `Can still become ${high}, worth up to ${one.points} ${one.points === 1 ? "point" : "points"}; ${one.ends} ${one.ends === 1 ? "way" : "ways"}.`;
  }

  /** The card beside the board. */
  tell() {
    const { advice } = this;
    fill(
      byId("told"),
      h("div", { class: "told-part" }, h("h3", {}, this.heading()), this.colors(), advice.with && this.rock(advice.with)),
      h("div", { class: "told-part tall" }, h("h3", {}, "What the stalks may become"), advice.stalks.length ? h("ul", { class: "stalk-list" }, ...advice.stalks.map((one) => this.stalk(one))) : h("p", { class: "soft" }, "No stalks yet.")),
      h("div", { class: "told-part" }, h("h3", {}, "Rocks in the bag"), this.rocks()),
      h("div", { class: "told-part" }, h("h3", {}, "Completed stalks"), h("ul", { class: "stalk-list" }, ...advice.seats.map((one) => this.seat(one)))),
    );
  }

  heading() {
    const { advice } = this;
    if (advice.with?.drawn && advice.hand !== "unknown") return `What the ${advice.color} rock allows`;
    if (advice.color) return `If the ${advice.color} rock were drawn now`;
    return advice.hand === "unknown" ? "The rock was not shown" : "What would a rock allow?";
  }

  /** Look ahead: any color. */
  colors() {
    const { rocks, color, hand } = this.advice;
    const asks = rocks.filter((one) => one.left > 0 || one.color === hand);
    return h(
      "ul",
      { class: "picks", "aria-label": "Ask about a rock" },
      ...asks.map((one) => h("li", {}, this.pictures.button(one.color, () => { this.about = one.color === color ? null : one.color; this.news(); }, { "data-key": `rock-${one.color}`, "aria-pressed": String(one.color === color) }))),
    );
  }

  rock(found) {
    if (found.problem) return h("p", { class: "soft" }, found.problem);
    const may = mayChange() && found.drawn;
    const place = (one, text) => may && h("button", { type: "button", class: "small primary", "data-key": `tell-${text}`, onclick: () => this.act.tell({ event: one.event }) }, text);
    const line = (one, ...more) => h("li", { class: "stalk-line" }, this.pictures.draw(one.piece), h("div", {}, h("div", { class: "make-name" }, `${this.pictures.name(one.piece)} on ${one.words}`), ...more));
    return h(
      "div",
      {},
      found.add.length > 0 && h("h4", {}, "Allowed"),
      h("ul", { class: "stalk-list" }, ...found.add.map((one) => line(one, one.completes && h("p", { class: "soft" }, "Completes the stalk."), place(one, `Place ${this.pictures.name(one.piece)} on ${one.words}`)))),
      found.kill.length > 0 && h("h4", {}, "Would kill a stalk"),
      h("ul", { class: "stalk-list" }, ...found.kill.map((one) => line(one, ...one.breaches.map(ruleLine)))),
      h("h4", {}, "Base"),
      h(
        "div",
        { class: `verdict ${found.base.allowed ? "allowed" : "forbidden"}` },
        h("p", {}, h("span", { class: "verdict-word" }, found.base.allowed ? "✓ " : "✗ "), `${found.base.text} `, h("a", { href: found.base.link }, found.base.rule)),
      ),
      found.base.allowed && place(found.base, `Place ${this.pictures.name(found.base.piece)} as a base`),
    );
  }

  stalk(one) {
    return h(
      "li",
      { class: "stalk-line" },
      build(one.picture),
      h(
        "div",
        {},
        h("div", { class: "make-name" }, one.words, one.dead && h("span", { class: "tag" }, "dead")),
        h("div", { class: "way-reason" }, this.future(one)),
        h("div", { class: "end-line" }, ...one.shown.map((end) => h("span", { role: "img", "aria-label": `${this.pictures.names(end.stalk)}: ${points(end.points)}` }, build(end.picture), String(end.points)))),
      ),
    );
  }

  seat(one) {
    const seat = this.store.data.seats[one.seat];
    return h(
      "li",
      {},
      h("div", { class: "hand-name" }, sign(seat.sign), h("span", {}, `${one.name}: ${seat.total} ${seat.total === 1 ? "point" : "points"}`)),
      one.stalks.length === 0 && h("p", { class: "soft" }, "None yet."),
      ...one.stalks.map((stalk) => h("p", { class: "way-reason hand-chips" }, build(stalk.picture), `${stalk.points}: ${stalk.text} (${stalk.stalk.join(" ")}) `, h("a", { href: `/rules/ice-stalks#${stalk.rule}` }, stalk.rule))),
    );
  }

  rocks() {
    const { rocks } = this.advice;
    const all = rocks.reduce((sum, one) => sum + one.left, 0);
    return h(
      "table",
      { class: "counts" },
      h("caption", { class: "hidden" }, "Rocks in the bag by color"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Color"), h("th", { scope: "col" }, "Left"))),
      h("tbody", {}, ...rocks.map((one) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "swatch" }, this.pictures.draw(one.color), one.color)), h("td", { class: one.left ? null : "none" }, String(one.left))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"), h("td", {}, String(all)))),
    );
  }
}
