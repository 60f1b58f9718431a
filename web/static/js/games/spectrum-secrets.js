// Cards in Spectrum: draws that are told, and missions and portals, which only their owner's own phone shows.

import { mayChange, post } from "../lib/api.js";
import { dialog, h } from "../lib/dom.js";
import { CardEntry } from "./card-entry.js";
import { spotName } from "./spectrum-space.js";

const cards = (count) => `${count} ${count === 1 ? "card" : "cards"}`;

export class Secrets {
  /** @param {any} panel */
  constructor(panel) {
    this.panel = panel;
    this.drawn = "";
    /** @type {HTMLElement|null} */ this.place = null;
    /** @type {string[]} */ this.picked = [];
    this.pickedAt = -1;
  }

  /** The seat whose secrets this browser shows. */
  get me() {
    return this.panel.store.data.secrecy.me;
  }

  /** Cards that are to be drawn: told by everybody if all see them, else by their owner alone. */
  draws(title) {
    const { advice, store } = this.panel;
    const { draw } = advice;
    const who = advice.seats[draw.seat].name;
    const head = title(`${who} draws ${cards(draw.count)} from the ${draw.source}`);
    if (!mayChange()) return [head];
    const own = draw.shown || this.me === draw.seat;
    const unseen = () => this.panel.act.tell({ event: { type: "drawn", seat: draw.seat, pieces: Array(draw.count).fill(null) } });
    if (!own) {
      return [
        head,
        h("p", { class: "soft" }, `They stay hidden from everybody else. ${who} can enter them on their own phone, after choosing “Who are you?” there; then this referee can check them, and nobody else sees them.`),
        h("div", { class: "tools" }, h("button", { type: "button", "data-key": "unseen", onclick: unseen }, `Drawn; ${who} keeps them hidden`)),
      ];
    }
    const key = `${store.data.game.id}:${advice.seq}`;
    if (this.drawn !== key || !this.place) {
      this.drawn = key;
      this.place = h("div", {});
      const tell = (codes) => this.panel.act.tell({ event: { type: "drawn", seat: draw.seat, pieces: codes } });
      new CardEntry(this.place, { cards: draw.cards, count: draw.count, exactly: false, onePerRow: draw.source === "weight cards" }, this.panel.pictures, tell);
    }
    return [
      head,
      !draw.shown && h("p", { class: "soft" }, "Only this phone shows them."),
      this.place,
      !draw.shown && h("div", { class: "tools" }, h("button", { type: "button", class: "quiet small", "data-key": "unseen", onclick: unseen }, "Keep them from the referee too")),
    ];
  }

  /** After doubles in a shotgun start two free colors are picked (VAR-4). */
  picks() {
    const { advice } = this.panel;
    const { picks } = advice;
    if (this.pickedAt !== advice.seq) this.picked = [];
    this.pickedAt = advice.seq;
    const take = (color) => {
      this.picked = this.picked.includes(color) ? this.picked.filter((one) => one !== color) : [...this.picked, color].slice(-2);
      this.panel.rest();
    };
    const [one, other] = this.picked;
    return [
      h("p", { class: "soft" }, `The two pawns go on space ${picks.number} of these colors.`),
      h("ul", { class: "movers" }, ...picks.colors.map((color) => h("li", {}, h("button", { type: "button", class: "mover", "data-key": `pick-${color}`, "aria-pressed": String(this.picked.includes(color)), disabled: !mayChange(), onclick: () => take(color) }, this.panel.hues([color]))))),
      mayChange() && h("div", { class: "tools" }, h("button", { type: "button", class: "primary", "data-key": "tell-picks", disabled: this.picked.length !== 2, onclick: () => this.panel.act.tell({ event: { type: "pick", seat: picks.seat, one, other } }) }, "Put the pawns there")),
    ];
  }

  /** Returns the hand of this phone's player, which other screens do not receive. */
  hand() {
    const { advice } = this.panel;
    const open = advice.seats.filter((seat) => seat.missions.length + seat.portals.length && (seat.seat === this.me || seat.revealed));
    if (open.length === 0) return null;
    return h("div", { class: "told-part secret-part" }, ...open.map((seat) => this.held(seat)));
  }

  held(seat) {
    const mine = seat.seat === this.me;
    const done = seat.missions.filter((one) => one.met).length;
    return h(
      "div",
      { class: mine ? "secret-hand" : null },
      h("h3", {}, mine ? "Your secret cards" : `Missions of ${seat.name}`),
      mine && h("p", { class: "soft" }, "Only this phone shows them."),
      seat.missions.length > 0 && h("h4", {}, `Missions: ${done} of 6 fulfilled, 5 win`),
      seat.missions.length > 0 && this.list(seat.missions, (one) => (one.met ? "✓ fulfilled" : `needs an own pawn on ${spotName(one.spot)}`)),
      mine && seat.show.length > 0 && mayChange() && h("button", { type: "button", class: "small", "data-key": "show-missions", onclick: () => this.show(seat) }, "Enter your missions"),
      mine && seat.portals.length > 0 && h("h4", {}, "Portals"),
      mine && seat.portals.length > 0 && this.list(seat.portals, (one) => (one.met ? "✓ a pawn stands there" : `waits for a pawn on ${spotName(one.spot)}`)),
    );
  }

  list(held, words) {
    return h("ul", { class: "secret-cards" }, ...held.map((one) => h("li", {}, one.code ? this.panel.pictures.draw(one.code) : h("span", { class: "card-unknown", "aria-hidden": "true" }, "?"), h("span", {}, one.code ? words(one) : "not entered"))));
  }

  /** Missions that the referee does not know yet are told by their owner. */
  show(seat, then = null) {
    const place = h("div", {});
    const count = seat.missions.filter((one) => one.code === null).length;
    const box = dialog(`Which missions does ${seat.name} hold?`, place, h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel")));
    new CardEntry(place, { cards: seat.show, count, exactly: then !== null }, this.panel.pictures, async (codes) => {
      box.close();
      const event = { type: "shown", seat: seat.seat, pieces: codes };
      if (!then) {
        await this.panel.act.tell({ event });
        return;
      }
      try {
        const { seq } = await post("/api/table/play", { expected: this.panel.seen, event });
        await post("/api/table/play", { expected: seq, event: then });
      } catch (error) {
        this.panel.fail(error);
      }
    });
  }

  /** Declaring the own missions shows them to everybody, so it is asked once more. */
  fulfils(one) {
    if (!mayChange()) return null;
    const seat = this.panel.advice.seats[one.seat];
    const done = seat.missions.filter((card) => card.met).length;
    const ask = () => {
      const box = dialog(
        "Declare the missions?",
        h("p", {}, `${done} of 6 are fulfilled; 5 win. Everybody sees them from now on, and with fewer than 5 play goes on (`, h("a", { href: "/rules/spectrum#VAR-21" }, "VAR-21"), ")."),
        h(
          "div",
          { class: "dialog-end" },
          h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Go back"),
          h("button", { type: "button", class: done >= 5 ? "primary" : null, "data-key": "declare-them", onclick: () => { box.close(); this.panel.act.tell({ event: one.event }); } }, "Declare them"),
        ),
      );
    };
    return h("button", { type: "button", "data-key": "tell-Fulfil", onclick: ask }, one.words);
  }

  /** Declaring missions of another: if the referee does not know them, they lie open now and everybody may tell them (VAR-20). */
  declares() {
    const { advice } = this.panel;
    const seat = advice.seats[advice.turn];
    if (advice.phase !== "start" || !mayChange() || !seat.missions.some((one) => one.code === null)) return null;
    return h("div", { class: "tools" }, h("button", { type: "button", "data-key": "declare-missions", onclick: () => this.declare(seat) }, `${seat.name} declares the missions`));
  }

  async declare(seat) {
    const event = { type: "fulfil", seat: seat.seat };
    try {
      await post("/api/table/play", { expected: this.panel.seen, event });
    } catch (error) {
      if (error.breaches?.some((breach) => breach.rule === "VAR-20") && seat.show.length) this.show(seat, event);
      else this.panel.fail(error);
    }
  }

  /** Portals that may be activated: the own ones at hand, those of others behind a fold. */
  activates() {
    const { advice } = this.panel;
    const all = advice.activations;
    if (!mayChange() || all.length === 0) return [];
    const mine = all.filter((one) => one.seat === this.me);
    const others = all.filter((one) => one.seat !== this.me);
    const button = (one) => h("li", {}, h("button", { type: "button", class: "mover", "data-key": one.text, onclick: () => this.panel.act.tell({ event: one.event }) }, this.panel.pictures.draw(one.code), h("span", {}, `Activate ${spotName(one.spot)}`)));
    return [
      mine.length > 0 && h("div", {}, h("h4", {}, "Your portals with a pawn on them"), h("ul", { class: "movers" }, ...mine.map(button))),
      others.length > 0 &&
        h(
          "details",
          { class: "withdraw" },
          h("summary", { "data-key": "others-portals" }, "Another player shows a portal"),
          ...advice.seats.filter((seat) => others.some((one) => one.seat === seat.seat)).map((seat) => h("div", {}, h("h4", {}, seat.name), h("ul", { class: "movers" }, ...others.filter((one) => one.seat === seat.seat).map(button)))),
        ),
    ].filter(Boolean);
  }

  /** Where an activated portal leads: one of the two cards that were drawn (VAR-24). */
  destinations() {
    const { advice } = this.panel;
    const all = advice.destinations;
    const known = all.length <= 2;
    const button = (one) => h("li", {}, h("button", { type: "button", class: "mover", "data-key": one.text, disabled: !mayChange(), onclick: () => this.panel.act.tell({ event: one.event }) }, this.panel.pictures.draw(one.code), h("span", {}, `To ${spotName(one.spot)}`)));
    return [h("p", { class: "soft" }, known ? "The other card becomes a new portal." : "The two drawn cards are hidden here. Enter which one is shown as the destination."), h("ul", { class: "movers" }, ...all.map(button))];
  }
}
