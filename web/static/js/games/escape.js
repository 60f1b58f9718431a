// Spectrum Escape: the dice of the round, play order, what each die allows, and why a color may not be chosen.

import { get, mayChange } from "../lib/api.js";
import { build, byId, fill, h, sign } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { upper } from "../lib/words.js";
import { ruleLine } from "../parts/alert.js";
import { AdvisedPanel } from "./advised.js";
import { DiceEntry, facesOf } from "./dice.js";
import { verdictBox } from "./pictures.js";

export class GamePanel extends AdvisedPanel {
  constructor(store, act) {
    super(store, act);
    /** @type {DiceEntry|null} */ this.entry = null;
    this.rolled = "";
  }

  /** @param {boolean} fresh */
  advised(fresh) {
    super.advised(fresh);
    if (!this.spot) this.rest();
  }

  decorate() {}

  /** Nothing chosen: the roll that is due, or what the player whose turn it is may do. */
  rest() {
    this.spot = null;
    this.asked += 1;
    this.act.mark(null);
    if (!this.advice || this.advice.seq !== this.store.data?.seq) fill(byId("cell"), h("p", { class: "soft" }, "Looking up what may be done."));
    else if (this.advice.roll) this.roll();
    else if (this.advice.turn !== null) this.moves();
    else fill(byId("cell"), h("p", { class: "soft" }, "Tap a color to see who stands there."));
  }

  roll() {
    const { advice } = this;
    if (!mayChange()) {
      fill(byId("cell"), h("p", { class: "soft" }, "Roll the dice of this round."));
      return;
    }
    const key = `${this.store.data.game.id}:${advice.seq}`;
    if (this.entry && this.rolled === key && byId("cell").contains(this.entry.place)) return;
    const place = this.entry && this.rolled === key ? this.entry.place : h("div", {});
    fill(byId("cell"), h("h3", { tabindex: "-1", "data-key": "cell-title" }, `Roll for the ${advice.round} round`), h("p", { class: "soft" }, "The personal dice first, by player; then the common ones, in any order."), place);
    if (this.rolled !== key) {
      this.rolled = key;
      this.entry = new DiceEntry(place, advice.roll.dice, advice, (codes) => this.act.tell({ event: { type: "rolled", faces: facesOf(codes, advice.pieces) } }), this.act.chance());
    }
  }

  /** A button for each move of the player whose turn it is, by its die. */
  moves() {
    const { advice } = this;
    const who = advice.seats[advice.turn];
    const of = (die) => advice.moves.filter((move) => move.die === die);
    const withdraws = advice.moves.filter((move) => move.kind === "withdraw");
    fill(
      byId("cell"),
      h("h3", { tabindex: "-1", "data-key": "cell-title" }, `${who.name} uses a die`),
      this.dice("Personal die", of("personal")),
      this.dice("Common dice", of("common")),
      h("p", { class: "soft spaced-line" }, "On the board: P is where the personal die leads, C a common one."),
      withdraws.length > 0 &&
        h(
          "details",
          { class: "withdraw" },
          h("summary", { "data-key": "withdraws" }, "Take a pawn back instead of both moves"),
          h("div", { class: "tools" }, ...withdraws.map((move) => (mayChange() ? h("button", { type: "button", class: "small", "data-key": move.text, onclick: () => this.act.tell({ event: move.event }) }, upper(move.words)) : h("span", {}, move.words)))),
        ),
    );
  }

  dice(title, moves) {
    if (moves.length === 0) return null;
    return h("div", { class: "die-moves" }, h("h4", {}, title), h("ul", { class: "die-list" }, ...moves.map((move) => h("li", {}, this.move(move)))));
  }

  move(move) {
    if (move.kind === "lose") {
      const words = `${upper(move.words)}: no ${move.die} die allows one`;
      return mayChange() ? h("button", { type: "button", class: "die-move", "data-key": move.text, onclick: () => this.act.tell({ event: move.event }) }, words) : h("span", {}, words);
    }
    const picture = this.pictures.draw(move.code);
    if (move.to === null) return h("div", { class: "die-move closed" }, picture, h("div", {}, h("strong", {}, `${move.color}: not allowed`), ...move.breaches.map(ruleLine)));
    const words = h("span", {}, h("strong", {}, move.color), ` ${move.words}`);
    if (!mayChange()) return h("div", { class: "die-move" }, picture, words);
    return h("button", { type: "button", class: "die-move", "data-key": move.text, "aria-label": `${upper(move.color)} by the ${move.die} die: ${move.words}`, onclick: () => this.act.tell({ event: move.event }) }, picture, words);
  }

  /** One color: who stands there, what may be played, why not, and corrections. */
  async open(spot, piece, byKey) {
    if (!this.advice) return;
    const color = spot.split(".")[0];
    const found = this.advice.colors.find((one) => one.color === color);
    if (!found) return;
    this.spot = color;
    this.act.mark(color);
    const asked = (this.asked += 1);
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, upper(color));
    const place = h("div", { id: "verdict" });
    fill(
      byId("cell"),
      title,
      h("p", {}, this.standing(found)),
      place,
      mayChange() && this.misread(found),
      h("div", { class: "tools spaced" }, h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    const { turn } = this.advice;
    if (turn === null) {
      say(`${color}. ${this.standing(found)}`);
      return;
    }
    try {
      const all = await Promise.all(["personal", "common"].map((die) => get("/api/advice/verdict", { text: `player ${turn + 1} plays ${die} ${color}` })));
      if (asked !== this.asked) return;
      fill(place, ...all.map((one, i) => h("div", {}, h("h4", {}, i ? "By a common die" : "By the personal die"), verdictBox(one, ruleLine), one.legal && mayChange() && h("button", { type: "button", class: "primary", "data-plays": true, "data-key": `play-${one.text}`, onclick: () => this.act.tell({ event: one.event }) }, "Play it"))));
      const allowed = all.filter((one) => one.legal).map((one) => one.event.die);
      const first = all.flatMap((one) => one.breaches)[0];
      say(`${color}. ${this.standing(found)} ${allowed.length ? `Allowed by the ${allowed.join(" or ")} die.` : `Nothing allowed here. ${first ? `Rule ${first.rule}: ${first.text}` : ""}`}`);
    } catch (error) {
      this.fail(error);
    }
  }

  standing(found) {
    const { seats, turn } = this.advice;
    const there = found.standing.map(({ seat, position }, i) => `${seats[seat].name} on ${position}${i ? "" : ", leading"}`);
    const to = turn === null ? 0 : found.next[turn];
    const next = turn === null ? "" : to === 0 ? ` ${seats[turn].name} may not choose this color now.` : ` ${seats[turn].name} would ${to === 10 ? "escape" : `go to ${to}`}.`;
    return `${there.length ? `${there.join("; ")}.` : "Empty."}${next}`;
  }

  misread(found) {
    const places = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((position) => !found.standing.some((one) => one.position === position));
    const select = h("select", { id: "position", "aria-label": "Where the missed pawn stands" }, ...places.map((position) => h("option", { value: String(10 - position) }, `position ${position}`)));
    return h(
      "details",
      {},
      h("summary", { "data-key": "wrong" }, "Read wrongly?"),
      h(
        "div",
        { class: "tools" },
        ...found.standing.map(({ seat, position }) => h("button", { type: "button", class: "small", "data-key": `gone-${position}`, onclick: () => this.preview(`${found.color}.${10 - position}`, "") }, `${this.advice.seats[seat].name} is not on ${position}`)),
      ),
      h("div", { class: "source" }, h("label", { for: "position" }, "The camera missed a pawn here", select), ...this.advice.seats.map((seat) => h("button", { type: "button", class: "small", "data-key": `unseen-${seat.seat}`, onclick: () => this.preview(`${found.color}.${select.value}`, `pawn${seat.color.charAt(0).toUpperCase()}`) }, `of ${seat.name}`))),
    );
  }

  /** The card beside the board: dice, order, players. */
  tell() {
    const { advice } = this;
    fill(
      byId("told"),
      h("div", { class: "told-part" }, h("h3", {}, this.heading()), this.table()),
      h("div", { class: "told-part" }, h("h3", {}, "Common dice"), this.common()),
      h("div", { class: "told-part" }, h("h3", {}, "Play order"), h("ol", { class: "order" }, ...advice.order.map((seat) => this.place(advice.seats[seat])))),
    );
  }

  heading() {
    const { advice } = this;
    return advice.rolled ? `This is a ${advice.round} round` : `Next comes a ${advice.round} round`;
  }

  table() {
    const { advice } = this;
    const row = (seat) =>
      h(
        "tr",
        { class: seat.turn ? "to-move" : null },
        h("th", { scope: "row" }, h("span", { class: "swatch" }, build(seat.pawn), seat.name)),
        h("td", {}, seat.personal ? h("span", { class: seat.used ? "die-small used" : "die-small", role: "img", "aria-label": `${this.pictures.name(seat.personal)}${seat.used ? ", used" : ""}` }, this.pictures.draw(seat.personal)) : "–"),
        h("td", {}, `${seat.escaped} of ${advice.needed}`),
        h("td", {}, String(seat.board)),
        h("td", {}, String(seat.stock)),
      );
    return h(
      "table",
      { class: "counts players-table" },
      h("caption", { class: "hidden" }, "Players: personal die, escapes, pawns"),
      h("thead", {}, h("tr", {}, ...["Player", "Die", "Out", "Board", "Supply"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...advice.seats.map(row)),
    );
  }

  common() {
    const { common, rolled } = this.advice;
    if (common.length === 0) return h("p", { class: "soft" }, "Not rolled yet.");
    return h(
      "div",
      {},
      h("ul", { class: "dice-still" }, ...common.map((die) => h("li", {}, h("span", { class: die.used ? "die-small used" : "die-small", role: "img", "aria-label": `${this.pictures.name(die.code)}${die.used ? ", used up" : ""}` }, this.pictures.draw(die.code))))),
      !rolled && h("p", { class: "soft" }, "From the last round."),
    );
  }

  place(seat) {
    const shown = this.store.data.seats[seat.seat];
    return h("li", { class: seat.turn ? "to-move" : null }, sign(shown.sign), h("span", { translate: "no" }, seat.name), h("span", { class: "soft" }, seat.turn ? `to move, ${seat.done}` : seat.done));
  }
}
