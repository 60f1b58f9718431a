// Roll & Color: dice told or thrown, dice to re-roll, the best entries, what re-rolls are worth, and every player's sheet.

import { get, mayChange, post } from "../lib/api.js";
import { byId, fill, h, sign } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { points, upper } from "../lib/words.js";
import { ruleLine } from "../parts/alert.js";
import { AdvisedPanel } from "./advised.js";
import { DiceEntry, facesOf } from "./dice.js";
import { verdictBox } from "./pictures.js";

const FIRST_ENTRIES = 6;
const times = (count) => `${count} ${count === 1 ? "die" : "dice"}`;

/** Whose sheet this phone shows; nobody else's business. */
const MINE = "roll-and-color-sheet";

export class GamePanel extends AdvisedPanel {
  constructor(store, act) {
    super(store, act);
    /** @type {any} */ this.odds = null;
    /** @type {DiceEntry|null} */ this.entry = null;
    /** @type {Set<number>} */ this.picks = new Set();
    this.goal = "points";
    this.rolled = "";
    this.all = false;
  }

  moved() {
    this.picks.clear();
    this.odds = null;
    this.all = false;
  }

  /** @param {boolean} fresh */
  advised(fresh) {
    super.advised(fresh);
    if (!this.spot) this.rest();
  }

  /** Dice that are chosen to be re-rolled are marked on the board too. */
  decorate() {
    for (const cell of byId("board-place").querySelectorAll('[data-spot^="die."]')) {
      const picked = this.picks.has(Number(cell.dataset.spot.slice(4)));
      cell.classList.toggle("picked", picked);
      if (picked) cell.setAttribute("aria-selected", "true");
    }
  }

  rest() {
    this.spot = null;
    this.asked += 1;
    this.act.mark(null);
    if (!this.advice || this.advice.seq !== this.store.data?.seq) fill(byId("cell"), h("p", { class: "soft" }, "Looking up what may be done."));
    else if (this.advice.roll) this.roll();
    else if (this.advice.turn !== null) this.choose();
    else fill(byId("cell"), h("p", { class: "soft" }, "All rounds are played."));
    this.decorate();
  }

  roll() {
    const { advice } = this;
    const who = advice.seats[advice.roll.seat].name;
    if (!mayChange()) {
      fill(byId("cell"), h("p", { class: "soft" }, `${who} is to roll ${times(advice.roll.dice.length)}.`));
      return;
    }
    const key = `${this.store.data.game.id}:${advice.seq}`;
    if (this.entry && this.rolled === key && byId("cell").contains(this.entry.place)) return;
    const place = this.entry && this.rolled === key ? this.entry.place : h("div", {});
    const title = advice.rerolls ? `${who} rolls ${times(advice.roll.dice.length)} again` : `${who} rolls all nine dice`;
    fill(byId("cell"), h("h3", { tabindex: "-1", "data-key": "cell-title" }, title), place);
    if (this.rolled !== key) {
      this.rolled = key;
      this.entry = new DiceEntry(place, advice.roll.dice, advice, (codes) => this.act.tell({ event: { type: "rolled", faces: facesOf(codes, advice.pieces) } }), this.act.chance());
    }
  }

  /** Enter the roll, or choose dice to roll again. */
  choose() {
    const { advice } = this;
    const who = advice.seats[advice.turn].name;
    const shown = this.all || !advice.hints ? advice.entries : advice.entries.slice(0, FIRST_ENTRIES);
    fill(
      byId("cell"),
      h("h3", { tabindex: "-1", "data-key": "cell-title" }, advice.next ? `${who} enters this roll, or re-rolls ${this.size()}` : `${who} enters this roll: all re-rolls are made`),
      h("div", { class: "choose" }, advice.next && this.rerolls(), h("div", {}, h("h4", {}, advice.hints ? "Best entries" : "Entries"), h("ul", { class: "entries" }, ...shown.map((one) => h("li", {}, this.entryButton(one)))), shown.length < advice.entries.length && h("button", { type: "button", class: "small", "data-key": "all-entries", onclick: () => { this.all = true; this.choose(); } }, "All open rows"))),
    );
  }

  size() {
    const { least, most } = this.advice.next;
    return least === most ? `exactly ${least} dice` : `${least} dice or more`;
  }

  entryButton(one) {
    const words = [h("strong", {}, points(one.points)), h("span", {}, one.words)];
    if (!mayChange()) return h("div", { class: "entry" }, ...words);
    return h("button", { type: "button", class: "entry", "data-key": one.text, onclick: () => this.act.tell({ event: one.event }) }, ...words);
  }

  rerolls() {
    const { advice } = this;
    const { order, least, most } = advice.next;
    const count = this.picks.size;
    const right = count >= least && count <= most;
    return h(
      "div",
      {},
      h("h4", {}, `The ${order} re-roll`),
      mayChange() && h("ul", { class: "picks-dice", "aria-label": "Dice to roll again" }, ...advice.dice.map((die) => h("li", {}, this.pick(die)))),
      mayChange() && h("p", { class: "soft", role: "status" }, `${times(count)} chosen; it takes ${this.size()}.${this.worth()}`),
      h("div", { id: "verdict" }),
      h(
        "div",
        { class: "tools" },
        mayChange() && h("button", { type: "button", class: right ? "primary" : null, "data-key": "reroll", onclick: () => this.reroll(right) }, right ? `Roll ${times(count)} again` : "Roll them again"),
        advice.hints && !this.odds && h("button", { type: "button", "data-key": "odds", onclick: () => this.ask() }, "What is a re-roll worth?"),
      ),
      this.odds && this.outlook(),
    );
  }

  /** Returns the worth of the chosen dice, once expected values were asked for. */
  worth() {
    const { dice } = this.advice;
    const key = [...this.picks].map((number) => dice[number - 1].code).sort().join(" ");
    const value = this.odds?.values[key];
    if (value === undefined) return "";
    const than = value - this.odds.stop.value;
    return ` Worth ${value.toFixed(2)} on average, ${Math.abs(than).toFixed(2)} ${than < 0 ? "less" : "more"} than stopping.`;
  }

  pick(die) {
    const chosen = this.picks.has(die.number);
    return h("button", { type: "button", class: "die-slot", "data-key": `pick-${die.number}`, "aria-pressed": String(chosen), "aria-label": `Die ${die.number}, ${this.pictures.name(die.code)}`, onclick: () => this.toggle(die.number) }, this.pictures.draw(die.code), h("span", { class: "die-label", "aria-hidden": "true" }, String(die.number)));
  }

  toggle(number) {
    if (this.picks.has(number)) this.picks.delete(number);
    else this.picks.add(number);
    this.choose();
    this.decorate();
    say(`${times(this.picks.size)} chosen.`);
  }

  /** Roll the chosen dice again; where that is not allowed, say by which rule. */
  async reroll(right) {
    const dice = [...this.picks].sort();
    if (right) {
      await this.act.tell({ event: { type: "reroll", seat: this.advice.turn, dice } });
      return;
    }
    if (dice.length === 0) {
      fill(byId("verdict"), h("p", { class: "soft" }, "Choose dice first: tap them above or on the board."));
      return;
    }
    try {
      const found = await get("/api/advice/verdict", { text: `player ${this.advice.turn + 1} re-rolls ${dice.join(" ")}` });
      fill(byId("verdict"), verdictBox(found, ruleLine));
      say(`Not allowed: ${found.breaches.map((breach) => `Rule ${breach.rule}: ${breach.text}`).join(" ")}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Expected values, worked out on the table's machine when somebody asks. */
  async ask() {
    const { seq } = this.advice;
    try {
      const { odds, seq: now } = await get("/api/advice", { about: this.goal });
      if (now !== seq || this.advice.seq !== seq || !odds) return;
      this.odds = odds;
      this.choose();
      const best = odds.best === "stop" ? `Stop: ${odds.stop.words}.` : `Re-roll dice ${odds.rerolls[0].dice.join(", ")}: ${odds.rerolls[0].value} on average.`;
      say(`${best} ${odds.how}`);
    } catch (error) {
      this.fail(error);
    }
  }

  outlook() {
    const { odds } = this;
    const goals = h(
      "select",
      { id: "goal", "data-key": "goal", onchange: (event) => { this.goal = event.target.value; this.ask(); } },
      h("option", { value: "points", selected: this.goal === "points" }, "points of this round"),
      h("option", { value: "sheet", selected: this.goal === "sheet" }, "the whole sheet"),
    );
    const row = (best, what, value, act) => h("tr", { class: best ? "best" : null }, h("td", {}, what), h("td", { class: "number" }, value.toFixed(2)), h("td", {}, act || null));
    return h(
      "div",
      { class: "outlook" },
      h("div", { class: "source" }, h("label", { for: "goal" }, "Play for", goals)),
      h(
        "table",
        { class: "lines" },
        h("caption", { class: "hidden" }, "What stopping and re-rolls are worth"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Choice"), h("th", { scope: "col", class: "number" }, odds.goal === "points" ? "Points" : "Points less par"), h("th", { scope: "col" }, h("span", { class: "hidden" }, "Choose")))),
        h(
          "tbody",
          {},
          row(odds.best === "stop", h("span", {}, odds.best === "stop" && h("strong", {}, "Best: "), `stop, ${odds.stop.words}`), odds.stop.value),
          ...odds.rerolls.map((one, i) =>
            row(
              odds.best === "reroll" && i === 0,
              h("span", {}, odds.best === "reroll" && i === 0 && h("strong", {}, "Best: "), `re-roll ${one.dice.join(", ")} `, this.pictures.row(one.codes)),
              one.value,
              mayChange() && h("button", { type: "button", class: "small", "data-key": `choose-${one.dice.join("-")}`, "aria-label": `Choose dice ${one.dice.join(", ")}`, onclick: () => this.take(one.dice) }, "Choose"),
            ),
          ),
        ),
      ),
      h("p", { class: "soft" }, `${odds.how} ${odds.rerolls.length} of ${odds.choices} re-rolls are listed.`),
    );
  }

  take(dice) {
    this.picks = new Set(dice);
    this.choose();
    this.decorate();
  }

  /** A die, or a row of the sheet. */
  async open(spot, piece, byKey) {
    if (!this.advice) return;
    const die = /^die\.(\d)$/.exec(spot);
    if (die) this.die(Number(die[1]), byKey);
    else this.row(spot.split(".")[0], byKey);
  }

  /** Choose a die, or leave it; what else can be done with it stands below. */
  die(number, byKey) {
    const { advice } = this;
    const die = advice.dice[number - 1];
    if (!die || advice.roll) {
      this.rest();
      return;
    }
    this.spot = null;
    this.met = [];
    if (advice.turn !== null && advice.next) {
      this.toggle(number);
      if (byKey) byId("cell").querySelector(`[data-key="pick-${number}"]`)?.focus();
    } else this.rest();
    if (mayChange() && die.row !== null) byId("cell").append(this.misread(die));
  }

  /** From a row to the dice; of the chosen dice the last one is left. */
  stepBack() {
    if (super.stepBack()) return true;
    const last = [...this.picks].pop();
    if (last === undefined) return false;
    this.toggle(last);
    return true;
  }

  misread(die) {
    const kind = die.code.startsWith("d6") ? "spectrum-d6" : "spectrum-d12";
    return h(
      "details",
      {},
      h("summary", { "data-key": "wrong" }, `Is die ${die.number} read wrongly?`),
      h("p", { class: "soft" }, `Row ${die.row} says ${this.pictures.name(die.code)}. It really shows:`),
      h("ul", { class: "palette", "aria-label": `Faces of die ${die.number}` }, ...this.advice.faces[kind].filter((code) => code !== die.code).map((code) => h("li", {}, h("button", { type: "button", class: "face", "data-key": `really-${code}`, "aria-label": this.pictures.name(code), onclick: () => this.correct(die, code) }, this.pictures.draw(code))))),
    );
  }

  async correct(die, code) {
    const faces = [...die.roll];
    faces[die.at] = this.pictures.name(code);
    try {
      await post("/api/table/correct", { expected: this.store.data.seq, n: die.row, event: { type: "rolled", faces }, why: "misread" });
      say("Corrected.");
    } catch (error) {
      this.fail(error);
    }
  }

  /** The same row was tapped once more: enter the one cell that the dice meet. */
  tappedAgain() {
    const met = this.met ?? [];
    if (met.length !== 1 || !mayChange()) return false;
    this.act.tell({ text: met[0] });
    return true;
  }

  /** One row: each cell, and why not. */
  row(slug, byKey) {
    const found = this.advice.parts.flatMap((part) => part.rows).find((row) => row.row === slug);
    if (!found) return;
    this.spot = slug;
    this.act.mark(slug);
    const met = this.advice.met[found.place] ?? [];
    const title = h("h3", { tabindex: "-1", "data-key": "cell-title" }, upper(found.name));
    const words = this.advice.seats.map((seat) => `${seat.name}: ${slug in seat.entered ? points(seat.entered[slug].points) : "open"}`).join("; ");
    const turn = this.advice.turn;
    const filled = turn !== null && slug in this.advice.seats[turn].entered;
    this.met = turn === null || filled ? [] : met.map((cell) => `player ${turn + 1} enters ${found.cells[cell - 1]} in ${found.name}`);
    const cells = [...found.cells.map((cell, i) => ({ cell, points: found.points[i], met: met.includes(i + 1) })), { cell: "0", points: 0, met: turn !== null && met.length === 0 }];
    fill(
      byId("cell"),
      title,
      h("p", {}, `${words}.`),
      filled && h("p", { class: "soft" }, `${this.advice.seats[turn].name} has filled this row. Choose an open one.`),
      turn !== null && !filled && h("ul", { class: "cell-choices", "aria-label": `Cells of ${found.name}` }, ...cells.map((one) => h("li", {}, h("button", { type: "button", class: one.met ? "cell-choice met" : "cell-choice", "data-key": `cell-${one.cell}`, onclick: () => this.judge(found, one.cell) }, h("strong", {}, one.cell === "0" ? "nothing" : one.cell), h("span", {}, one.points || one.cell === "0" ? points(one.points) : "N/A"))))),
      h("div", { id: "verdict" }),
      h("div", { class: "tools spaced" }, h("button", { type: "button", class: "quiet small", "data-key": "close", "data-back": true, onclick: () => this.act.back() }, "Close")),
    );
    if (byKey) title.focus();
    say(`${found.name}. ${words}.`);
  }

  async judge(row, cell) {
    const asked = (this.asked += 1);
    try {
      const found = await get("/api/advice/verdict", { text: `player ${this.advice.turn + 1} enters ${cell} in ${row.name}` });
      if (asked !== this.asked) return;
      fill(byId("verdict"), verdictBox(found, ruleLine), found.legal && mayChange() && h("button", { type: "button", class: "primary", "data-key": "enter", onclick: () => this.act.tell({ event: found.event }) }, "Enter it"));
      const rules = found.breaches.map((breach) => `Rule ${breach.rule}: ${breach.text}`).join(" ");
      say(`${found.legal ? "Allowed" : "Not allowed"}: ${found.sentence} ${rules}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Whose sheet this phone shows: the one that was chosen here, else that of the player whose turn it is. */
  mine() {
    const kept = localStorage.getItem(MINE);
    const { seats, turn, roll } = this.advice;
    return kept !== null && Number(kept) < seats.length ? Number(kept) : (turn ?? roll?.seat ?? 0);
  }

  tell() {
    const { advice } = this;
    const kept = localStorage.getItem(MINE);
    const seat = advice.seats[this.mine()];
    const select = h(
      "select",
      { id: "mine", "data-key": "mine", onchange: (event) => { if (event.target.value === "") localStorage.removeItem(MINE); else localStorage.setItem(MINE, event.target.value); this.tell(); } },
      h("option", { value: "", selected: kept === null }, "the player whose turn it is"),
      ...advice.seats.map((one) => h("option", { value: String(one.seat), selected: kept === String(one.seat) }, one.name)),
    );
    const shown = this.store.data.seats[seat.seat];
    fill(
      byId("told"),
      h(
        "div",
        { class: "told-part" },
        advice.seats.length > 1 && h("div", { class: "source" }, h("label", { for: "mine" }, "This screen shows the sheet of", select)),
        h("h3", { class: "hand-name" }, sign(shown.sign), h("span", {}, `${seat.name}: ${points(seat.total)}, ${seat.left} ${seat.left === 1 ? "row" : "rows"} open`)),
        h("div", { class: "score-sheets" }, ...advice.parts.map((part) => this.part(part, seat))),
      ),
    );
  }

  part(part, seat) {
    const turn = this.advice.turn === seat.seat;
    const row = (one) => {
      const entered = seat.entered[one.row];
      const met = turn && !entered ? (this.advice.met[one.place] ?? []) : [];
      return h(
        "tr",
        { class: entered ? "entered" : null },
        h("th", { scope: "row" }, h("button", { type: "button", class: "row-button", "data-key": `row-of-${one.row}`, "aria-label": one.name, onclick: () => this.row(one.row, true) }, one.name.replace(/ (sequence|combo)/, ""))),
        ...one.cells.map((cell, i) => this.cellOf(one.points[i], entered?.cell === i + 1, met.includes(i + 1), i + 1 === met[met.length - 1])),
        h("td", { class: "entered-points" }, entered ? String(entered.points) : ""),
      );
    };
    return h(
      "table",
      { class: "score-part" },
      h("caption", {}, part.title),
      h("thead", {}, h("tr", {}, h("td", {}), ...part.rows[0].cells.map((cell) => h("th", { scope: "col" }, cell)), h("th", { scope: "col" }, "pts"))),
      h("tbody", {}, ...part.rows.map(row)),
    );
  }

  cellOf(worth, taken, met, best) {
    const kind = [taken && "taken", met && "met", best && "best", !worth && "na"].filter(Boolean).join(" ");
    const said = taken ? " (entered)" : met ? " (met by the dice)" : "";
    return h("td", { class: kind || null }, worth ? String(worth) : "–", said && h("span", { class: "hidden" }, said));
  }
}
