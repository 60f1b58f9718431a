// Regenbogen: tap a piece, see what it may do and what that costs; pools, spells, dominations; corrections by account.

import { t } from "../lib/language.js";
import { Refusal, get, mayChange, post } from "../lib/api.js";
import { build, byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { many, upper } from "../lib/words.js";
import { ruleLine } from "../parts/alert.js";
import { AdvisedPanel } from "./advised.js";
import { verdictBox } from "./pictures.js";
import { showTold } from "./regenbogen-told.js";

const DO = { move: "Move here", fight: "Fight it", summon: "Summon here", heal: "Heal it", recover: "Recover a spell", "self-destruct": "Self-destruct" };
const CAN = { move: "can move here", fight: "can be fought", summon: "a Spirit can be summoned here", heal: "can be healed", recover: "can recover a spell", "self-destruct": "can destroy itself" };
const SIGNS = { move: "move", fight: "⚔", summon: "+Spi", heal: "+", recover: "+spell", "self-destruct": "blast" };

/** Returns the effect of a move, and its place unless that is the piece's own. */
const what = (move) => `${upper(move.does)}${move.spot === move.piece ? "" : ` ${move.spot}`}`;
/** A title as it is read aloud: what stands side by side, apart. */
const heard = (title) => [...title.childNodes].map((part) => part.textContent).join(", ");

export class GamePanel extends AdvisedPanel {
  constructor(store, act) {
    super(store, act);
    /** @type {string|null} the cell of the piece that was chosen */ this.picked = null;
    /** @type {WeakMap<Element, {base: string, full: string}>} */ this.labels = new WeakMap();
  }

  /** @param {boolean} fresh */
  advised(fresh) {
    super.advised(fresh);
    if (fresh || (!this.spot && !this.picked)) this.rest();
    else this.decorate();
  }

  isFresh() {
    return this.advice !== null && this.advice.seq === this.store.data?.seq;
  }

  cell(spot) {
    return this.advice.cells[spot];
  }

  /** The side that may choose a piece now; null while a question is open, or at the end. */
  mover() {
    return this.advice.moves.length ? this.advice.turn : null;
  }

  movesOf(piece) {
    return this.advice.moves.filter((move) => move.piece === piece);
  }

  /** Nothing chosen; a piece that has moved is chosen of itself. */
  rest() {
    this.spot = null;
    this.picked = null;
    this.asked += 1;
    this.act.mark(null);
    if (!this.isFresh()) {
      fill(byId("cell"), h("p", { class: "soft" }, "Looking up what may be done."));
      return;
    }
    if (this.advice.moved) {
      this.pick(this.advice.moved);
      return;
    }
    this.decorate();
    const who = this.mover() === null ? null : this.advice.seats[this.mover()].name;
    const open = this.advice.saving.length ? "A Cleric would die: its owner decides whether to give up a spell (RGB-17)." : "Tap any piece to see what it is.";
    fill(byId("cell"), h("p", { class: "soft" }, who ? `Tap a piece of ${who} to see where it may go and what it may do.` : open));
  }

  /** Point out the pieces that can do something, or what the chosen one may reach. */
  decorate() {
    if (!this.isFresh()) return;
    const able = new Set(this.advice.moves.map((move) => move.piece));
    this.act.aim(this.picked !== null);
    for (const cell of byId("board-place").querySelectorAll("[data-spot]")) {
      const spot = cell.dataset.spot;
      for (const old of cell.querySelectorAll(":scope > .target")) old.remove();
      const reached = this.picked ? this.movesOf(this.picked).filter((move) => move.spot === spot && spot !== this.picked) : [];
      cell.classList.toggle("picked", spot === this.picked);
      cell.classList.toggle("able", !this.picked && able.has(spot));
      cell.classList.toggle("fits", reached.length > 0);
      if (reached.length) cell.append(build(note(reached, cell)));
      this.label(cell, [spot === this.picked && "chosen", !this.picked && able.has(spot) && "can be used", ...new Set(reached.map((move) => CAN[move.does]))]);
    }
  }

  label(cell, more) {
    const now = cell.getAttribute("aria-label") ?? "";
    const known = this.labels.get(cell);
    const base = known && known.full === now ? known.base : now;
    const full = [base, ...more.filter(Boolean).map((word) => t(word))].join(", ");
    this.labels.set(cell, { base, full });
    if (full !== now) cell.setAttribute("aria-label", full);
  }

  async open(spot, piece, byKey) {
    if (!this.isFresh()) return;
    const held = this.cell(spot).piece;
    const own = held && held.side === this.mover();
    const { moved } = this.advice;
    if (this.picked && spot !== this.picked && (!own || moved || this.movesOf(this.picked).some((move) => move.spot === spot))) await this.target(spot, byKey);
    else if (own && !(moved && moved !== spot)) this.pick(spot, true);
    else this.look(spot, byKey);
  }

  /** A piece is chosen: what it may do. */
  pick(spot, told = false) {
    this.picked = spot;
    this.spot = told ? spot : null;
    this.asked += 1;
    this.act.mark(spot);
    this.decorate();
    const { piece } = this.cell(spot);
    const moves = this.movesOf(spot);
    const here = moves.filter((move) => move.spot === spot || move.does === "fight");
    const goes = moves.filter((move) => move.does === "move").length;
    const summons = moves.filter((move) => move.does === "summon").length;
    const heals = moves.filter((move) => move.does === "heal" && move.spot !== spot).length;
    const lit = [goes && many(goes, "destination"), summons && many(summons, "summon"), heals && many(heals, "heal")].filter(Boolean).join(", ");
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, `${piece.name} on ${spot}`, h("span", { class: "soft" }, this.state(piece)));
    const words = moves.length ? (lit ? `Lit on the board: ${lit}. Tap a cell.` : "") : this.advice.moved ? "" : "It can do nothing now.";
    fill(
      byId("cell"),
      title,
      this.advice.moved === spot && h("p", {}, "It has moved. It may act, or the turn ends."),
      words && h("p", { class: "soft" }, words),
      here.length > 0 && h("ul", { class: "ways" }, ...here.map((move) => h("li", { class: "way deed" }, this.deed(move)))),
      mayChange() && this.advice.moved !== spot && this.wrong(spot),
      h("div", { class: "tools spaced" }, !this.advice.moved && h("button", { type: "button", class: "quiet small", "data-key": "close", onclick: () => this.act.back() }, "Leave it")),
    );
    say(`${heard(title)}. ${words} ${here.map((move) => `${what(move)}. ${upper(move.words)}.`).join(" ")}`);
  }

  /** From the place to the piece, from the piece to nothing. */
  stepBack() {
    if (!this.picked || byId("cell").querySelector("[data-back]")) return super.stepBack();
    if (this.spot && this.spot !== this.picked) this.pick(this.picked, true);
    else if (this.advice.moved !== this.picked) this.act.back();
    return true;
  }

  state(piece) {
    const spells = piece.spells === null ? "" : `, ${many(piece.spells, "spell")}`;
    return `${piece.health} of ${piece.most} health${spells}`;
  }

  /** Returns the effect of a move and the button that enters it. */
  deed(move, actor = false) {
    const words = h("div", {}, h("div", { class: "way-points" }, `${what(move)}${actor ? ` with ${move.piece}` : ""}`), h("div", { class: "way-reason" }, upper(`${move.words}.`)));
    return h("div", { class: "deed-line" }, words, mayChange() && h("button", { type: "button", class: "primary", "data-plays": move.spot !== move.piece, "data-key": `do-${move.text}`, "aria-label": `${DO[move.does]}: ${move.text}`, onclick: () => this.act.tell({ event: move.event }) }, move.does === "heal" ? `Heal by ${move.event.points}` : DO[move.does]));
  }

  /** A cell for the chosen piece: what it may do there, or why not. */
  async target(spot, byKey) {
    const from = this.picked;
    this.spot = spot;
    this.act.mark(spot);
    this.decorate();
    const asked = (this.asked += 1);
    const { piece } = this.cell(from);
    const held = this.cell(spot).piece;
    const moves = this.movesOf(from).filter((move) => move.spot === spot);
    if (mayChange() && moves.length === 1 && moves[0].does === "move") return this.act.tell({ event: moves[0].event });
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, `${piece.name}: ${from} to ${spot}`, held && h("span", { class: "soft" }, `${held.name}, ${this.state(held)}`));
    const place = h("div", { id: "verdict" });
    fill(
      byId("cell"),
      title,
      h("ul", { class: "ways" }, ...moves.map((move) => h("li", { class: "way deed" }, this.deed(move)))),
      place,
      mayChange() && this.wrong(spot),
      h(
        "div",
        { class: "tools spaced" },
        h("button", { type: "button", class: "small", "data-key": "again", onclick: () => this.pick(from, true) }, "Another cell"),
        held && h("button", { type: "button", class: "quiet small", "data-key": "look", onclick: () => this.look(spot, true) }, "What stands there?"),
      ),
    );
    if (byKey) title.focus();
    const seat = this.advice.turn;
    const lines = this.lines(seat, from, spot, piece, held).filter((line) => !moves.some((move) => move.text.startsWith(line)));
    try {
      const found = await Promise.all(lines.map((text) => get("/api/advice/verdict", { text })));
      if (asked !== this.asked) return;
      fill(place, ...found.map((one) => verdictBox(one, ruleLine)));
      const first = found.flatMap((one) => one.breaches)[0];
      say(`${heard(title)}. ${moves.map((move) => `${what(move)}. ${upper(move.words)}.`).join(" ")} ${first && !moves.length ? `Not allowed. Rule ${first.rule}: ${first.text}` : ""}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Returns the moves that a tap there may mean. */
  lines(seat, from, spot, piece, held) {
    const who = `player ${seat + 1}`;
    if (!held) return [!this.advice.moved && `${who} moves ${from} to ${spot}`, piece.rank === "wizard" && `${who} summons on ${spot} with ${from}`].filter(Boolean);
    if (held.side !== seat) return [`${who} fights ${spot} with ${from}`];
    return piece.rank === "cleric" && held.health < held.most ? [`${who} heals ${spot} by 1 with ${from}`] : [`${who} moves ${from} to ${spot}`];
  }

  /** A cell without a chosen piece: what it is, and corrections. */
  look(spot, byKey) {
    this.spot = spot;
    this.asked += 1;
    if (!this.advice.moved) this.picked = null;
    this.act.mark(spot);
    this.decorate();
    const { piece, color } = this.cell(spot);
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, `${spot}: ${piece ? piece.name : "empty"}`, h("span", { class: "soft" }, piece ? this.state(piece) : `${color} cell`));
    const later = piece && this.mover() !== null && piece.side !== this.mover() ? `It is ${this.advice.seats[this.mover()].side}'s turn.` : "";
    fill(
      byId("cell"),
      title,
      piece && h("p", { class: "soft" }, `It stands on a ${color} cell. ${later}`),
      mayChange() && this.wrong(spot),
      h("div", { class: "tools spaced" }, h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    say(`${heard(title)}. ${later}`);
  }

  wrong(spot) {
    const held = this.cell(spot).piece;
    return h(
      "details",
      { class: "wrong" },
      h("summary", { "data-key": "wrong" }, held ? "Is this wrong?" : "Does a piece stand here?"),
      h(
        "div",
        { class: "tools" },
        h("button", { type: "button", class: "small", "data-key": "another", onclick: () => this.correct(spot) }, held ? "It is another piece, or its health differs" : "Say which piece stands here"),
        held && h("button", { type: "button", class: "small", "data-key": "nothing", onclick: () => this.confirmed(spot, null) }, "Nothing stands here"),
      ),
    );
  }

  /** Which piece stands there, and with what health. */
  correct(spot) {
    this.spot = spot;
    this.asked += 1;
    this.act.mark(spot);
    const { seats, kinds, most, position } = this.advice;
    const held = this.cell(spot).piece;
    const option = (value, text, chosen) => h("option", { value: String(value), selected: chosen }, text);
    const side = h("select", { id: "which-side" }, ...seats.map((one) => option(one.seat, `${one.side}'s (${one.name})`, held?.side === one.seat)));
    const kind = h("select", { id: "which-kind" }, ...kinds.map((one, i) => option(i, one, held?.kind === i)));
    const health = h("input", { id: "which-health", type: "number", min: "0", max: "7", value: String(held?.health ?? most[0]), inputmode: "numeric" });
    const spells = h("input", { id: "which-spells", type: "number", min: "0", max: String(seats[0].spells_most), inputmode: "numeric" });
    const box = h("label", { for: "which-spells" }, "Spells", spells);
    const bounds = () => {
      const cleric = kinds[Number(kind.value)] === "Cleric";
      health.max = String(most[Number(kind.value)]);
      if (Number(health.value) > Number(health.max)) health.value = health.max;
      box.toggleAttribute("hidden", !cleric);
      spells.value = String(position.spells[Number(side.value)]);
    };
    side.addEventListener("change", bounds);
    kind.addEventListener("change", bounds);
    bounds();
    const title = h("h3", { tabindex: "-1" }, `Which piece stands on ${spot}?`);
    fill(
      byId("cell"),
      title,
      h("div", { class: "which" }, h("label", { for: "which-side" }, "Side", side), h("label", { for: "which-kind" }, "Piece", kind), h("label", { for: "which-health" }, "Health", health), box),
      h(
        "div",
        { class: "tools spaced" },
        h("button", { type: "button", class: "primary", "data-key": "which", onclick: () => this.confirmed(spot, { side: Number(side.value), kind: Number(kind.value), health: Number(health.value), spells: Number(spells.value) }) }, "Go on"),
        h("button", { type: "button", class: "quiet", "data-back": true, onclick: () => this.look(spot, true) }, "Cancel"),
      ),
    );
    title.focus();
  }

  /** The position with that piece, or none, on the cell: asked once more, then set up. */
  confirmed(spot, which) {
    const { seats, kinds, position } = this.advice;
    const pieces = { ...position.pieces };
    const spells = [...position.spells];
    delete pieces[spot];
    let words = "nothing";
    if (which) {
      const name = kinds[which.kind];
      pieces[spot] = `${seats[which.side].side} ${name} ${which.health}`.toLowerCase();
      words = `${seats[which.side].side}'s ${name} with ${which.health} health`;
      if (name === "Cleric") {
        spells[which.side] = which.spells;
        words += ` and ${many(which.spells, "spell")}`;
      }
    }
    for (const one of seats) if (!Object.values(pieces).some((piece) => piece.startsWith(`${one.side.toLowerCase()} cleric`))) spells[one.seat] = 0;
    const changed = { ...position, pieces, spells };
    if (changed.moved === spot) delete changed.moved;
    const held = this.cell(spot).piece;
    const why = h("input", { id: "why", maxlength: "200", value: "misread" });
    const title = h("h3", { tabindex: "-1" }, `Correct ${spot}`);
    const answer = h("p", { class: "answer bad", role: "status" });
    const send = async () => {
      try {
        await post("/api/table/position", { expected: this.seen, position: changed, why: why.value });
        say("Corrected.");
        this.act.back();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        answer.textContent = t(error.message);
      }
    };
    fill(
      byId("cell"),
      title,
      h("p", {}, `The position is set up with ${words} on ${spot} instead of ${held ? `${held.name} with ${held.health} health` : "nothing"}. Positions before it are not counted as repeated (RGB-27).`),
      h("label", { for: "why" }, "Why?"),
      why,
      answer,
      h("div", { class: "tools spaced" }, h("button", { type: "button", class: "primary", "data-key": "confirm", onclick: send }, "Correct it"), h("button", { type: "button", class: "quiet", "data-back": true, onclick: () => this.look(spot, true) }, "Cancel")),
    );
    title.focus();
    say(title.textContent ?? "");
  }

  tell() {
    showTold(this);
  }
}

/** Returns the possible deeds of the chosen piece on a cell, in a few letters. */
function note(moves, cell) {
  const text = moves.some((move) => move.does === "heal") ? `+${Math.max(...moves.map((move) => move.event.points ?? 0))}` : moves.map((move) => (move.does === "fight" ? `${SIGNS.fight}${move.note.replace("-", "−")}` : SIGNS[move.does])).join(" ");
  const filled = cell.classList.contains("filled");
  const [x, y] = [Number(cell.dataset.x) + (filled ? 8.5 : 0), Number(cell.dataset.y) + (filled ? -1 : 8)];
  const lines = text === "move +Spi" ? ["move", "+Spi"] : [text];
  const width = 5.1 * Math.max(...lines.map((line) => line.length)) + 5;
  const height = 9.2 * lines.length + 2.4;
  return [
    "g",
    { class: "target", "aria-hidden": "true" },
    [
      ["rect", { class: "target-ground", x: x - width / 2, y: y - height / 2, width, height, rx: 3 }, []],
      ...lines.map((line, i) => ["text", { class: "target-note", x, y: y - height / 2 + 8.2 + 9.2 * i, "text-anchor": "middle", "font-size": 7.2 }, [line]]),
    ],
  ];
}
