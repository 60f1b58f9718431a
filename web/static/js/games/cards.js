// Games with cards: tap cards of the hand and of the table, see whether the rules allow it, tell it; the counting beside.

import { t } from "../lib/language.js";
import { Refusal, get, mayChange } from "../lib/api.js";
import { byId, dialog, fill, h, sign } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { many } from "../lib/words.js";
import { chip, chipped, colorClass } from "../cards/chips.js";
import { dealt, unseenTable, verdict } from "../cards/facts.js";
import { CardPicker } from "../cards/picker.js";
import { couldBe, needsMore, pickOf, tapped, textOf } from "../cards/picks.js";
import { signed } from "../parts/scores.js";
import { AdvisedPanel } from "./advised.js";

const FIRST_COUNTS = 4;
/** The most cards of a hand that are drawn as pictures: more are small, so that all of them are in view at once. */
const PICTURES = 15;

export class GamePanel extends AdvisedPanel {
  /** Cards that come are told in the panel. */
  static ownDraws = true;

  constructor(store, act) {
    super(store, act);
    /** @type {import("../cards/picks.js").Picked[]} */ this.picks = [];
    /** @type {Record<string, string>} values of fields by act and seat */ this.values = {};
    /** @type {Map<string, any>} what the rules say to a line, in this position */ this.verdicts = new Map();
    /** @type {(() => void)|null} */ this.picker = null;
    /** @type {string[]} cards that were named and not entered yet */ this.named = [];
    /** The referee's answer to the last try; it stays until something else is chosen or happens. */ this.said = "";
    /** @type {string|null} the place of a card of the table that was tapped last, until something else is chosen */ this.lying = null;
    /** True while a person chooses the card that replaces a misread one. */ this.correcting = false;
    this.unseen = 0;
    /** @type {Set<string>} */ this.open_ = new Set(["counts"]);
  }

  /** @param {boolean} fresh */
  advised(fresh) {
    if (fresh) {
      this.correcting = false;
      this.forget();
      this.values = {};
      this.picker = null;
      this.named = [];
      this.verdicts.clear();
      this.chooseFirst();
    }
    byId("told-title").textContent = t("Counts");
    this.show();
    this.tell();
  }

  me() {
    return this.store.data.secrecy.me;
  }

  /** Moves that this browser may tell. */
  acts() {
    if (!mayChange()) return [];
    const me = this.me();
    const { acts, locked } = this.advice;
    return acts.filter((act) => (me === null ? !locked.includes(act.seat) : act.seat === me));
  }

  /** Seats whose hands are shown to be chosen from. */
  hands() {
    const me = this.me();
    const { seats, movers, locked } = this.advice;
    const held = seats.filter((seat) => seat.sets.some((set) => set.cards.length || set.hidden));
    if (me !== null) return held.filter((seat) => seat.seat === me);
    return held.filter((seat) => movers.includes(seat.seat) && !locked.includes(seat.seat));
  }

  rest() {
    this.correcting = false;
    this.spot = null;
    this.asked += 1;
    this.forget();
    this.act.mark(null);
    if (this.advice) this.show();
    else fill(byId("cell"), h("p", { class: "soft" }, "Loading."));
  }

  /** A card that is in every move is chosen from the beginning. */
  chooseFirst() {
    const { first, movers } = this.advice;
    const holds = ({ seat, sets }) => movers.includes(seat) && sets.some((set) => (set.zone ?? "hand") === "hand" && set.cards.includes(first));
    const hand = first && this.acts().length ? this.hands().find(holds) : null;
    if (hand) this.picks = [{ spot: `hand.${first}`, zone: "hand", code: first, seat: hand.seat }];
  }

  /** Nothing is chosen, and what was tried before is of no interest. */
  forget() {
    this.lying = null;
    this.picks = [];
    this.said = "";
  }

  decorate() {
    this.act.aim(this.picks.some((one) => one.seat !== undefined));
    for (const cell of byId("board-place").querySelectorAll("[data-spot]")) {
      const picked = this.picks.some((one) => one.spot === cell.dataset.spot);
      cell.classList.toggle("picked", picked);
      cell.classList.toggle("fits", !picked && this.goesOn(pickOf(cell.dataset.spot)));
      cell.setAttribute("aria-selected", String(picked));
    }
    for (const place of byId("board-place").querySelectorAll(".place")) place.classList.toggle("fits", Boolean(place.querySelector(".fits")));
  }

  /** True if a card of the table goes with the chosen cards of the hand in a legal move. */
  goesOn(pick) {
    const { moves, goes } = this.advice ?? {};
    const chosen = this.picks.map((one) => one.code).filter(Boolean);
    if (chosen.length === 1 && goes?.some(([code, place]) => code === chosen[0] && place === pick.zone)) return true;
    if (!moves || !pick.code || !this.picks.some((one) => one.seat !== undefined)) return false;
    return this.acts().some((act) => couldBe(act, [...this.picks, pick])) && moves.some((cards) => [...chosen, pick.code].every((code) => cards.includes(code)));
  }

  /** A card or a pile of the table was tapped. */
  open(spot, _piece, byKey) {
    if (!this.advice) return;
    this.correcting = false;
    const pick = pickOf(spot);
    const acts = this.acts();
    const once = acts.find((act) => act.tap === spot && !(act.picks ?? []).length);
    if (once && this.picks.length === 0) {
      this.do(once);
      return;
    }
    if (!acts.some((act) => couldBe(act, [pick]))) {
      const label = byId("board-place").querySelector(`[data-spot="${CSS.escape(spot)}"]`)?.getAttribute("aria-label");
      say(`${label ?? spot}. You cannot use it now.`);
      this.lying = spot;
      this.show();
      return;
    }
    this.choose(pick);
    this.lying = spot;
    this.show();
    if (!byKey) byId("cell").scrollIntoView({ block: "nearest" });
  }

  /** A card of the hand was tapped; it counts if it is still held when the news are there. */
  async take(pick) {
    const known = await this.learned();
    const held = ({ seat, sets }) => seat === pick.seat && sets.some((set) => (set.zone ?? "hand") === pick.zone && set.cards.includes(pick.code));
    if (known && this.hands().some(held)) this.choose(pick);
  }

  choose(pick) {
    this.picks = tapped(this.acts(), this.picks, pick);
    this.said = "";
    this.show();
    this.sayChosen();
  }

  /** Hand, what can be done with what is chosen, and what the rules say to it. */
  show() {
    if (this.correcting) return;
    const { due, help, movers } = this.advice;
    const acts = this.acts();
    const able = acts.filter((act) => couldBe(act, this.picks));
    const hands = this.hands();
    fill(
      byId("cell"),
      due && this.due(due),
      ...hands.map((seat) => this.hand(seat, acts)),
      this.picker && h("div", { id: "picker", class: "picker" }),
      (able.length > 0 || this.picks.length > 0) && h("div", { class: "acts" }, ...able.map((act) => this.doing(act)), this.picks.length > 0 && this.anew()),
      this.lying !== null && !this.advice.deal && mayChange() && h("button", { type: "button", class: "quiet small", "data-key": "misread", onclick: () => this.misread() }, "Another card lies here"),
      h("div", { id: "verdicts" }),
      acts.length > 0 && help && h("p", { class: "soft" }, help),
      !due && acts.length === 0 && movers.length > 0 && this.waits(),
    );
    if (due && this.mayTell(due)) this.told(due);
    if (this.picker) this.picker();
    this.decorate();
    this.judge(able);
  }

  /** The card that was chosen last is left. */
  stepBack() {
    if (!this.picker && !this.picks.length) return super.stepBack();
    if (this.picker) this.picker = null;
    else this.picks = this.picks.slice(0, -1);
    this.said = "";
    this.show();
    this.sayChosen();
    return true;
  }

  sayChosen() {
    const names = this.picks.map((one) => one.code ?? one.zone).join(", ");
    const marked = [...byId("board-place").querySelectorAll(".place.fits")].map((place) => place.getAttribute("aria-label")).join("; ");
    say(names ? (marked ? `Chosen: ${names}. Marked on the table: ${marked}.` : `Chosen: ${names}.`) : "Nothing chosen.");
  }

  anew() {
    const leave = () => {
      this.forget();
      this.show();
      byId("cell").querySelector("button")?.focus({ preventScroll: true });
    };
    return h("button", { type: "button", class: "quiet small", "data-key": "leave", onclick: leave }, "Choose again");
  }

  /** Nobody can play here now: say where it is done. */
  waits() {
    const { movers, locked, seats } = this.advice;
    const who = movers.map((seat) => seats[seat].name).join(" or ");
    const elsewhere = mayChange() && this.me() === null && movers.some((seat) => locked.includes(seat));
    return h("p", { class: "soft" }, `${who}'s turn. `, elsewhere && "Their cards are hidden. If this is their phone, tap “Who are you?”.");
  }

  hand(seat, acts) {
    const name = seat.seat === this.me() ? "Your hand" : `Hand of ${seat.name}`;
    const takes = (zone) => acts.some((act) => act.seat === seat.seat && (act.picks ?? []).some((gap) => gap.zones.some((one) => zone === one || zone.startsWith(one))));
    const sets = seat.sets.map((set) => {
      const zone = set.zone ?? "hand";
      const cards = set.cards.map((code, i) => {
        const spot = `${zone}.${code}${set.cards.indexOf(code) < i ? `#${i}` : ""}`;
        const pick = { spot, zone, code, seat: seat.seat };
        const on = this.picks.some((one) => one.spot === spot);
        return h("li", {}, this.pictures.button(code, () => this.take(pick), { "data-key": `hand-${spot}`, "aria-pressed": String(on), disabled: !takes(zone), class: `piece card-piece${colorClass(code)}${this.promise(seat.seat, code, takes(zone))}` }));
      });
      const hidden = set.hidden ?? 0;
      const unseen = hidden > 0 && h("li", {}, h("span", { class: "unseen" }, `${many(hidden, "card")} not shown`));
      const any = hidden > 0 && takes(zone) && [
        h("li", {}, h("button", { type: "button", class: "small", "data-key": `name-${zone}-${seat.seat}`, onclick: () => this.another(zone, seat.seat) }, "Name a card")),
        h("li", {}, h("button", { type: "button", class: "small", "data-key": `unseen-${zone}-${seat.seat}`, onclick: () => this.choose({ spot: `${zone}.${seat.seat}.??${(this.unseen += 1)}`, zone, code: "??", seat: seat.seat }) }, "One that is not shown")),
      ];
      const named = this.picks.filter((one) => one.zone === zone && one.seat === seat.seat && one.spot.includes("?"));
      return h(
        "div",
        { class: "hand-set" },
        set.title && h("h4", {}, set.title),
        h("ul", { class: set.cards.length > PICTURES ? "card-hand many" : "card-hand", tabindex: "0", "aria-label": set.title ? `${name}, ${set.title}` : name }, ...cards, unseen, ...(any || []), ...named.map((one) => h("li", {}, h("button", { type: "button", class: "small", "aria-pressed": "true", "data-key": `named-${one.spot}`, onclick: () => this.choose(one) }, one.code === "??" ? "not shown" : chip(one.code))))),
      );
    });
    const data = this.store.data.seats[seat.seat];
    const clear = seat.seat === this.me() && seat.sets.some((set) => set.cards.length > PICTURES);
    return h("section", { class: "own-hand", "aria-label": name }, h("h3", { class: clear ? "hidden" : null }, sign(data.sign), h("span", {}, name)), ...sets);
  }

  /** How a card of the hand stands out: raised if a move plays it now, dimmed if none does; held where none is played. */
  promise(seat, code, taken) {
    const { playable, movers } = this.advice;
    if (!taken) return movers.includes(seat) && playable?.length ? " unplayable" : " held";
    if (playable === null || !movers.includes(seat)) return "";
    const chosen = this.picks.filter((one) => one.code !== code && one.code).map((one) => one.code);
    const goes = chosen.length ? this.advice.moves.some((cards) => [...chosen, code].every((one) => cards.includes(one))) : playable.includes(code);
    return goes ? " playable" : " unplayable";
  }

  /** A card of a hand that the referee has not seen: it is named when it is played. */
  another(zone, seat) {
    const wanted = { most: 1, least: 1, hidden: false, specials: Boolean(this.advice.unseen.specials.length), button: "This card", name: "named" };
    this.picker = () => {
      const place = byId("picker");
      if (place && !place.firstChild) {
        new CardPicker(place, wanted, ([code]) => {
          this.picker = null;
          this.choose({ spot: `${zone}.${seat}.?${code}`, zone, code, seat });
        });
      }
    };
    this.show();
    byId("picker")?.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Another card than the recorded one lies at the tapped place: it is chosen, and the change is shown before it is made. */
  misread() {
    const spot = /** @type {string} */ (this.lying);
    this.correcting = true;
    const place = h("div", { id: "picker", class: "picker" });
    const title = h("h3", { tabindex: "-1" }, "Which card lies here?");
    const back = () => {
      this.correcting = false;
      this.show();
    };
    fill(byId("cell"), title, place, h("div", { class: "tools" }, h("button", { type: "button", class: "quiet small", "data-back": true, "data-key": "misread-back", onclick: back }, "Back")));
    new CardPicker(place, { most: 1, least: 1, hidden: false, specials: Boolean(this.advice.unseen.specials.length), button: "This card", name: "lying" }, ([code]) => this.preview(spot, code));
    title.focus();
  }

  doing(act) {
    const text = textOf(act, this.picks, this.values);
    const found = text && this.judged(text);
    const fields = (act.fields ?? []).map((field) => this.field(act, field));
    const ready = text !== null;
    const kind = [act.main && ready && found?.legal !== false ? "primary" : "", found && !found.legal ? "against" : ""].join(" ").trim();
    const button = h("button", { type: "button", class: kind || null, "data-key": `act-${act.key}-${act.seat}`, disabled: !ready, onclick: () => this.do(act) }, this.label(act));
    return fields.length ? h("div", { class: "act-fields" }, ...fields, button) : button;
  }

  label(act) {
    const several = new Set(this.acts().map((one) => one.seat)).size > 1;
    return several ? `${this.advice.seats[act.seat].name}: ${act.label}` : act.label;
  }

  field(act, field) {
    const key = `${act.key}-${act.seat}-${field.name}`;
    const id = `field-${key}`;
    const keep = (event) => {
      this.values[key] = event.target.value;
      const at = event.target.selectionStart;
      this.show();
      const fresh = byId(id);
      if (fresh && fresh !== document.activeElement) fresh.focus({ preventScroll: true });
      if (fresh?.type === "text" && at !== null) fresh.setSelectionRange(at, at);
    };
    const value = this.values[key] ?? field.value ?? "";
    if (field.kind === "choice") {
      const options = field.choices.map(([name, words]) => h("option", { value: name, selected: name === value }, words));
      return h("label", { for: id }, field.label, h("select", { id, "data-key": id, onchange: keep }, ...options));
    }
    return h("label", { for: id }, field.label, h("input", { id, "data-key": id, type: "text", inputmode: "numeric", pattern: "[0-9]*", maxlength: "3", value, oninput: keep }));
  }

  /** Ask the rules about every move that what is chosen makes. */
  async judge(acts) {
    const { seq } = this.advice;
    const asks = (act) => this.picks.length > 0 || (act.fields ?? []).some((field) => `${act.key}-${act.seat}-${field.name}` in this.values);
    const texts = acts.filter(asks).map((act) => textOf(act, this.picks, this.values)).filter((text) => text !== null);
    const asked = (this.asked += 1);
    const fresh = texts.filter((text) => !this.verdicts.has(text));
    for (const text of fresh) {
      try {
        this.verdicts.set(text, await get("/api/advice/verdict", { text }));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.verdicts.set(text, { legal: false, sentence: text, breaches: [], problem: error.message });
      }
      if (asked !== this.asked || this.advice.seq !== seq) return;
    }
    if (fresh.length) {
      this.show();
      return;
    }
    const place = byId("verdicts");
    if (!place) return;
    if (this.said) {
      this.showAnswer(place);
      return;
    }
    const found = texts.map((text) => this.judged(text)).filter(Boolean);
    fill(place, ...found.map((one) => verdict(one)));
    if (found.length) say(found.map((one) => `${one.legal ? "Allowed" : "Not allowed"}: ${one.sentence} ${one.breaches.map((breach) => `Rule ${breach.rule}: ${breach.text}`).join(" ")}${one.problem}`).join(" "));
  }

  /** Returns the rules' verdict on a move. Half a selection is not called illegal while another move still needs taps. */
  judged(text) {
    const found = this.verdicts.get(text);
    const half = this.acts().some((act) => needsMore(act, this.picks));
    return found?.legal || !half ? found : undefined;
  }

  async do(act) {
    const text = textOf(act, this.picks, this.values);
    if (text === null) return;
    if (!act.sure) {
      await this.send(text);
      return;
    }
    const go = () => {
      box.close();
      this.send(text);
    };
    const box = dialog(
      `${act.label}?`,
      h("p", {}, act.sure),
      h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"), h("button", { type: "button", class: "primary", "data-key": `sure-${act.key}`, onclick: go }, act.label)),
    );
  }

  async send(text) {
    this.said = "";
    if (await this.act.tell({ text })) return;
    this.said = byId("error").textContent ?? "";
    const place = byId("verdicts");
    if (this.said && place) this.showAnswer(place);
  }

  showAnswer(place) {
    fill(place, h("p", { class: "answer bad" }, this.said));
  }

  mayTell(due) {
    return mayChange() && (due.shown || this.me() === null || this.me() === due.seat);
  }

  /** New cards: from the deck to a hand, or turned up. */
  due(due) {
    const what = `${many(due.count, "card")} from the ${due.source}`;
    return h(
      "section",
      { class: "due", "aria-label": "New cards" },
      h("h3", {}, due.shown ? `${what} turned up: which?` : `${what} to ${due.name}`),
      h("p", { class: "soft" }, this.mayTell(due) ? (due.shown ? "Everybody sees them." : "Enter them on your own phone, or say that they are not shown.") : `${due.name} enters them on their own phone.`),
      this.mayTell(due) && h("div", { id: "due-picker" }),
    );
  }

  told(due) {
    const place = byId("due-picker");
    if (place && !place.firstChild) {
      const wanted = { most: due.count, least: 1, hidden: !due.shown, specials: due.specials, button: due.count === 1 ? "Enter this card" : "Enter these cards", name: "due" };
      new CardPicker(place, wanted, (codes) => this.send(due.text.replace("{cards}", codes.join(", "))), this.named);
    }
  }

  /** The card beside the board. */
  tell() {
    const { counts, facts, unseen, deal } = this.advice;
    fill(
      byId("told"),
      facts.length > 0 && h("dl", { class: "facts" }, ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, chipped(value))))),
      counts.length > 0 && h("div", { class: "told-part counting" }, h("h3", {}, "Counting"), ...counts.slice(0, FIRST_COUNTS).map((count) => this.count(count))),
      counts.length > FIRST_COUNTS && this.part("more", `More counting: ${counts.length - FIRST_COUNTS}`, () => h("div", {}, ...counts.slice(FIRST_COUNTS).map((count) => this.count(count)))),
      this.part("unseen", `Not seen yet: ${many(unseen.total, "card")}`, () => unseenTable(unseen)),
      deal && this.part("deal", deal.seed ? "Proof of the deal, shown" : "Proof of the deal, sealed", () => dealt(deal)),
    );
  }

  part(key, title, content) {
    const box = h("details", { class: "told-part", open: this.open_.has(key) }, h("summary", { "data-key": `part-${key}` }, title), content());
    box.addEventListener("toggle", () => (box.open ? this.open_.add(key) : this.open_.delete(key)));
    return box;
  }

  count(count) {
    const may = count.tell && this.acts().some((act) => act.seat === count.seat);
    return h(
      "div",
      { class: "count" },
      h("p", { class: "count-title" }, chipped(count.title), count.total != null && h("strong", {}, ` ${count.total} ${count.total === 1 ? "point" : "points"}`), count.note && h("span", { class: "soft" }, ` ${count.note}`)),
      count.lines.length > 0 && h("ul", { class: "count-lines" }, ...count.lines.map((line) => h("li", {}, h("span", { class: "count-points" }, line.points ? signed(line.points) : ""), h("span", {}, chipped(line.text), " ", h("a", { href: line.link }, line.rule))))),
      count.lines.length === 0 && count.total === 0 && !count.tell && h("p", { class: "soft" }, "Nothing counts."),
      may && h("button", { type: "button", class: "small", "data-key": `count-${count.tell}`, onclick: () => this.send(count.tell) }, count.button || "Do it"),
    );
  }
}
