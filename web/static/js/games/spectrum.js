// Spectrum: the roll and every use of it, the pawns that may move and where to, what still must be moved, and why not.

import { get, mayChange, post } from "../lib/api.js";
import { build, byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { upper } from "../lib/words.js";
import { ruleLine } from "../parts/alert.js";
import { CellPanel } from "../parts/cell.js";
import { DiceEntry, facesOf } from "./dice.js";
import { Pictures } from "./pictures.js";
import { Secrets } from "./spectrum-secrets.js";
import { askAbout, spotName } from "./spectrum-space.js";
import { told } from "./spectrum-told.js";
import { colorHues, leftList, usageButton } from "./spectrum-usages.js";
import { Wheel } from "./wheel.js";

const spaces = (count) => `${count} ${count === 1 ? "space" : "spaces"}`;

export class GamePanel extends CellPanel {
  constructor(store, act) {
    super(store, act);
    /** @type {any} */ this.advice = null;
    /** @type {number|null} */ this.usage = null;
    /** @type {string|null} */ this.pawn = null;
    /** @type {DiceEntry|null} */ this.entry = null;
    this.rolled = "";
    this.seq = -1;
    this.wheel = new Wheel(byId("board-place"));
    this.secrets = new Secrets(this);
  }

  /** Draws are told below the board, so the strip needs no button for them. */
  static ownDraws = true;

  tools() {
    const button = (key, words, text, act, more = {}) => h("button", { type: "button", class: "small", "data-key": key, "aria-label": words, onclick: act, ...more }, text);
    const seats = this.store.data?.seats ?? [];
    const sides = h("select", { class: "small", "data-key": "side", "aria-label": "Whose side is at the bottom", onchange: (event) => { this.wheel.from(Number(event.target.value)); this.light(); } }, ...seats.map((seat) => h("option", { value: String(seat.seat), selected: seat.seat === this.wheel.seat }, `${seat.name}'s side`)));
    return [
      seats.length > 1 && this.store.data.secrecy.me === null && sides,
      button("turn-left", "Turn the board to the left", "↺", () => this.turned(-1)),
      button("turn-right", "Turn the board to the right", "↻", () => this.turned(1)),
      button("large", "Larger board", "Larger", () => { this.wheel.enlarge(); this.act.redraw(); }, { "aria-pressed": String(this.wheel.large) }),
    ];
  }

  turned(steps) {
    this.wheel.by(steps);
    this.light();
  }

  async news() {
    const { version, seq, secrecy } = this.store.data;
    if (this.seq !== seq) {
      this.usage = null;
      this.pawn = null;
    }
    this.seq = seq;
    const about = this.usage;
    try {
      const advice = await get("/api/advice", { about });
      if (this.store.data.version !== version) return;
      if (about !== this.usage) {
        // A usage was chosen while the answer was on its way: it knows nothing of that usage's moves.
        await this.news();
        return;
      }
      const fresh = this.advice?.seq !== advice.seq;
      this.advice = advice;
      this.pictures = new Pictures(advice.pieces);
      this.wheel.sit(secrecy.me, advice.seats.length);
      this.act.redraw();
      fill(byId("told"), ...told(this));
      const alive = advice.usages.map((one, i) => (one.alive ? i : -1)).filter((i) => i >= 0);
      if (fresh && advice.phase === "declare" && this.usage === null && alive.length === 1) await this.choose(alive[0]);
      else if (fresh || (!this.spot && this.pawn === null)) this.rest();
    } catch (error) {
      this.fail(error);
    }
  }

  decorate() {
    this.wheel.show();
    this.light();
  }

  /** The usage that is in use, or the one that was tapped. */
  inQuestion() {
    const { usages } = this.advice;
    return usages.find((one) => one.used) ?? (this.usage === null ? null : usages[this.usage]);
  }

  /** Moves by the place that a pawn comes from; of a swap both pawns come from somewhere. */
  starts() {
    const found = new Map();
    for (const move of this.advice.moves) for (const at of from(move)) found.set(at, [...(found.get(at) ?? []), move]);
    return found;
  }

  /** Moves of the chosen pawn by where it goes; or the places of a captured or surrendered pawn. */
  ends() {
    const { phase, moves, spots } = this.advice;
    if (phase === "place" || phase === "off") return new Map(spots.map((one) => [one.spot, [one]]));
    const found = new Map();
    for (const move of moves) {
      if (this.pawn === null || !from(move).includes(this.pawn)) continue;
      const to = move.pawn === this.pawn ? move.to : move.pawn;
      found.set(to, [...(found.get(to) ?? []), move]);
    }
    return found;
  }

  /** True if a color swap card is in question: then both ends of a move are pawns. */
  swaps() {
    return Boolean(this.inQuestion()?.swap);
  }

  light() {
    const { advice } = this;
    if (!advice || advice.seq !== this.store.data?.seq || this.store.data.turn.kind === "over") {
      this.wheel.light({ opens: null, movers: new Set(), chosen: null, targets: new Map() });
      return;
    }
    const usage = advice.phase === "off" ? null : this.inQuestion();
    this.act.aim(this.pawn !== null);
    const movers = new Set([...this.starts().keys()].filter((at) => at.includes(".")));
    this.wheel.light({ opens: usage?.opens ?? null, movers, chosen: this.pawn, targets: this.ends() });
  }

  /** Nothing tapped: what the turn waits for. */
  rest() {
    this.spot = null;
    this.asked += 1;
    this.act.mark(null);
    const { advice } = this;
    const place = byId("cell");
    if (!advice || advice.seq !== this.store.data?.seq) {
      fill(place, h("p", { class: "soft" }, "Looking up what may be done."));
      return;
    }
    fill(place, ...this.turn(), h("div", { id: "spot" }));
    this.light();
  }

  /** The panel of the turn. */
  turn() {
    const { advice } = this;
    const who = advice.mover === null ? "" : advice.seats[advice.mover].name;
    const title = (text) => h("h3", { tabindex: "-1", "data-key": "cell-title" }, text);
    switch (advice.phase) {
      case "over":
        return [h("p", { class: "soft" }, "The game is over. Tap a space to see who stands there.")];
      case "declare":
        return [title(`${who}: what is ${advice.cards.length ? "the draw" : "the roll"} used as?`), ...this.uses(), ...this.playing()];
      case "move":
        return [title(`${who} moves`), ...this.playing(), ...this.inUse()];
      case "place":
        return [title(`${who} puts the captured ${advice.held.color} pawn on a free start`), ...this.places("puts it on")];
      case "off":
        return [title(`${who} takes a pawn back to stock`), ...this.places("takes")];
      case "set-up":
        if (advice.picks) return [title(`${advice.seats[advice.picks.seat].name} threw doubles and picks two colors`), ...this.secrets.picks()];
        return this.coming(title);
      case "send":
        return [title(`${who} says where the portal leads`), ...this.secrets.destinations()];
      case "drawing":
      case "bonus":
        return this.coming(title);
      default:
        return [...this.plain(title), ...this.coming(title)];
    }
  }

  /** Before the roll, or after the moves: what may still be done. */
  plain(title) {
    const { advice } = this;
    if (advice.phase === "roll" || advice.phase === "cards") return [];
    const who = advice.seats[advice.turn].name;
    const heads = { start: `${who} begins the turn`, end: `${who}'s moves are made`, pass: `${who} can do nothing with this ${advice.cards.length ? "draw" : "roll"}` };
    return [
      title(heads[advice.phase]),
      advice.phase === "pass" && h("div", {}, ...this.closed(advice.usages)),
      h("div", { class: "tools" }, ...advice.plain.map((one) => (one.kind === "Fulfil" ? this.secrets.fulfils(one) : this.tellButton(one.words, one.event, one.kind, one.kind !== "Surrender")))),
      this.secrets.declares(),
      ...this.secrets.activates(),
    ];
  }

  tellButton(words, event, key, primary = false) {
    if (!mayChange()) return h("span", { class: "tag" }, words);
    return h("button", { type: "button", class: primary ? "primary" : null, "data-key": `tell-${key}`, onclick: () => this.act.tell({ event }) }, words);
  }

  /** Dice or cards that come next. */
  coming(title) {
    const { advice } = this;
    if (advice.draw) return this.secrets.draws(title);
    if (!advice.roll) return [];
    const who = advice.seats[advice.roll.seat].name;
    const count = advice.roll.dice.length;
    const head = advice.phase === "roll" || advice.phase === "set-up" ? title : (text) => h("h4", {}, text);
    const words = advice.phase === "start" || advice.phase === "end" ? `Or enter ${who}'s roll at once` : `${who} rolls ${count} dice`;
    const why = advice.phase === "set-up" ? "Shotgun start: two pawns go where the dice say (VAR-2)." : `${advice.taken} of 12 stars are taken, so roll ${count} dice (BRD-7).`;
    if (!mayChange()) return [head(words), h("p", { class: "soft" }, why)];
    const key = `${this.store.data.game.id}:${advice.seq}`;
    const kept = this.entry && this.rolled === key;
    const place = kept && this.entry ? this.entry.place : h("div", {});
    if (!kept) {
      this.rolled = key;
      this.entry = new DiceEntry(place, advice.roll.dice, advice, (codes) => this.act.tell({ event: { type: "rolled", faces: facesOf(codes, advice.pieces) } }), this.act.chance());
    }
    return [head(words), h("p", { class: "soft" }, why, advice.again && " This is the extra turn of the speed rule (BRD-33)."), place];
  }

  /** Every usage: tap one to light its paths. */
  uses() {
    const { usages } = this.advice;
    const alive = usages.filter((one) => one.alive);
    return [
      h("ul", { class: "usages", "aria-label": "Usages" }, ...alive.map((one) => h("li", {}, usageButton(this, one, usages.indexOf(one))))),
      ...this.closed(usages),
    ];
  }

  closed(usages) {
    const dead = usages.filter((one) => !one.alive);
    if (dead.length === 0) return [];
    const reason = dead.flatMap((one) => one.breaches).slice(0, 1);
    return [
      h(
        "details",
        { class: "withdraw" },
        h("summary", { "data-key": "dead-usages" }, dead.length === 1 ? "1 usage has no allowed move" : `${dead.length} usages have no allowed move`),
        h("ul", { class: "usages" }, ...dead.map((one) => h("li", {}, usageButton(this, one, -1)))),
        ...reason.map(ruleLine),
      ),
    ];
  }

  async choose(index) {
    const { seq } = this.advice;
    this.pawn = null;
    try {
      const advice = await get("/api/advice", { about: index });
      if (this.store.data.seq !== seq) return;
      this.advice = advice;
      this.usage = index;
      this.rest();
      byId("cell").querySelector(".movers")?.scrollIntoView({ block: "nearest" });
      const usage = advice.usages[index];
      say(`${usage.name} opens ${usage.opens.join(", ")}. ${this.starts().size} places have a pawn that may move.`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Returns the usage in use and its parts that must still be moved. */
  inUse() {
    const { advice } = this;
    const usage = advice.usages.find((one) => one.used);
    return [h("div", { class: "in-use" }, usageButton(this, usage, -1), h("div", {}, h("h4", {}, "Still to be moved"), leftList(this, usage), h("p", { class: "soft" }, "Everything that can be used must be used ", h("a", { href: "/rules/spectrum#BRD-27" }, "BRD-27"), ".")))];
  }

  /** The pawns that may move, and where the chosen one may go. */
  playing() {
    const { advice } = this;
    if (advice.phase === "declare" && this.usage === null) return [h("p", { class: "soft" }, "Choose a usage to see its paths and moves.")];
    const movers = this.starts();
    const still = advice.pawns.filter((one) => !movers.has(one.at));
    const swap = this.swaps();
    return [
      h("h4", {}, swap ? "Which pawns change places?" : "Pawns that may move"),
      h("ul", { class: "movers" }, ...(swap ? [...movers.keys()].map((at) => this.mover({ at, code: null, stock: 0 }, movers.get(at))) : advice.pawns.filter((one) => movers.has(one.at)).map((one) => this.mover(one, movers.get(one.at))))),
      this.pawn !== null && this.targets(),
      still.length > 0 && !swap &&
        h(
          "details",
          { class: "withdraw" },
          h("summary", { "data-key": "still" }, still.length === 1 ? "1 pawn cannot move: why?" : `${still.length} pawns cannot move: why?`),
          h("ul", { class: "movers" }, ...still.map((one) => this.mover(one, []))),
        ),
    ];
  }

  mover(one, ways) {
    const on = this.pawn === one.at;
    const where = one.stock ? `${one.color} from stock (${one.stock} left)` : spotName(one.at);
    const words = one.stock ? `A pawn, ${where}` : `Pawn on ${where}`;
    const picture = one.code && this.pawnPicture(one.color);
    return h("li", {}, h("button", { type: "button", class: "mover", "data-key": `pawn-${one.at}`, "aria-pressed": String(on), "aria-label": `${words}, ${ways.length ? `${ways.length} moves` : "no move"}`, onclick: () => this.pick(on ? null : one.at) }, picture, h("span", {}, upper(where))));
  }

  pawnPicture(color) {
    const { seats, turn } = this.advice;
    const found = seats[turn].pawns.find((one) => one.color === color);
    return found && build(found.picture);
  }

  async pick(pawn) {
    this.pawn = pawn;
    this.rest();
    if (pawn === null) return;
    const targets = this.ends();
    if (targets.size) {
      say(`${targets.size} places: ${[...targets.keys()].map(spotName).join(", ")}.`);
      return;
    }
    await this.whyNot(pawn);
  }

  /** By which rules a pawn cannot move now. */
  async whyNot(pawn) {
    const asked = (this.asked += 1);
    try {
      const { why } = await get("/api/advice", { about: `${this.usage ?? 0} ${pawn}` });
      if (asked !== this.asked) return;
      const reasons = why?.breaches ?? [];
      fill(byId("spot"), h("div", { class: "verdict forbidden" }, h("p", {}, h("span", { class: "verdict-word" }, "✗ No move is allowed. "), `The pawn ${pawn.includes(".") ? `on ${spotName(pawn)}` : "in stock"} cannot move now.`), ...reasons.map(ruleLine)));
      say(`No move is allowed. ${reasons.map((one) => `Rule ${one.rule}: ${one.text}`).join(" ")}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Where the chosen pawn may go, as buttons; the same places are lit on the board. */
  targets() {
    const targets = this.ends();
    if (targets.size === 0) return null;
    return h("div", {}, h("h4", {}, "Where to?"), h("ul", { class: "movers", id: "targets" }, ...[...targets].flatMap(([spot, ways]) => ways.map((way) => h("li", {}, this.targetButton(spot, way, ways.length > 1))))));
  }

  targetButton(spot, way, several) {
    const does = this.does(way, several);
    const words = h("span", { class: "target-words" }, h("strong", {}, spotName(spot)), does.length > 0 && h("span", {}, does.join(", ")));
    if (!mayChange()) return h("span", { class: "mover" }, words);
    return h("button", { type: "button", class: "mover target-button", "data-key": `to-${way.text}`, onclick: () => this.go(way) }, words);
  }

  /** Returns the effects of a move beside its destination. */
  does(way, several) {
    const part = way.part ? this.inQuestion()?.parts[way.part - 1] : null;
    return [
      way.star && "takes the star",
      way.captures && `captures ${way.captures}`,
      ...(way.jumped ?? []).map((spot) => `jumps ${spotName(spot)}`),
      part && several && `as the part of ${spaces(part.spaces)}`,
      several && way.one_color && "by one color only",
      several && !way.one_color && !way.part && "by two colors",
    ].filter(Boolean);
  }

  /** A move; where the usage is still open, it is told first. */
  async go(way) {
    const { advice } = this;
    let expected = this.seen;
    try {
      if (advice.phase === "declare") ({ seq: expected } = await post("/api/table/play", { expected, event: advice.usages[this.usage].event }));
      await post("/api/table/play", { expected, event: way.event });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Starts for a captured pawn, or pawns to surrender. */
  places(words) {
    return [h("ul", { class: "movers" }, ...this.advice.spots.map((one) => h("li", {}, mayChange() ? h("button", { type: "button", class: "mover", "data-key": `spot-${one.spot}`, onclick: () => this.act.tell({ event: one.event }) }, h("span", {}, `${upper(words)} ${spotName(one.spot)}`)) : h("span", { class: "mover" }, spotName(one.spot)))))];
  }

  /** A tap on the board: a pawn to move, a place to go to, or a space to ask about. */
  async open(spot, piece, byKey) {
    const { advice } = this;
    if (!advice) return;
    const ways = this.ends().get(spot);
    if (ways?.length === 1 && mayChange()) {
      await this.go(ways[0]);
      return;
    }
    if (ways) {
      byId("targets")?.scrollIntoView({ block: "nearest" });
      say("Several ways lead there. Choose one below the board.");
      return;
    }
    const playing = advice.phase === "move" || (advice.phase === "declare" && this.usage !== null);
    const own = playing && (this.starts().has(spot) || advice.pawns.some((one) => one.at === spot));
    if (own && !(this.swaps() && this.pawn !== null)) {
      const again = this.pawn === spot;
      await this.pick(again ? null : spot);
      if (!again) this.act.mark(spot);
      return;
    }
    await askAbout(this, spot, byKey);
  }

  /** From the place to the pawn, from the pawn to the usage, from the usage to all of them. */
  stepBack() {
    if (super.stepBack()) return true;
    if (this.pawn !== null) this.pick(null);
    else if (this.advice?.phase === "declare" && this.usage !== null && this.advice.usages.filter((one) => one.alive).length > 1) {
      this.usage = null;
      this.news();
    } else return false;
    return true;
  }

  hues(colors) {
    return colorHues(this, colors);
  }
}

/** Both ends of a swap, else where a pawn comes from. */
const from = (move) => (move.event.type === "swap" ? [move.pawn, move.to] : [move.pawn]);
