// Whose phone this is. Hidden cards are shown to the browser of their player alone; everybody else sees that they are there.

import { t } from "../lib/language.js";
import { Refusal, isHost, mayChange, post } from "../lib/api.js";
import { dialog, h, sign } from "../lib/dom.js";
import { chooseSign } from "./own-sign.js";

/** A button that says whose phone this is; the machine of the table itself asks only where something is hidden.
 * @param {any} store @param {boolean} [open] whether something is open that comes first */
export function seatButton(store, open = false) {
  const { secrecy, seats } = store.data;
  if (!mayChange() || (isHost() && !secrecy.kept && secrecy.me === null)) return null;
  const me = secrecy.me === null ? null : seats[secrecy.me];
  const words = me ? [sign(me.sign), h("span", {}, `You are ${me.name}`)] : ["Who are you?"];
  return h("button", { type: "button", class: me || !secrecy.kept || open ? "small" : "small primary", "data-key": "seat", onclick: () => choose(store) }, ...words);
}

function choose(store) {
  const { secrecy, seats } = store.data;
  const answer = h("p", { class: "answer", role: "status" });
  const ask = async (path, body) => {
    try {
      await post(path, body);
      // The stream belongs to the seat too, so the page starts afresh.
      location.reload();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer.className = "answer bad";
      answer.textContent = t(error.message);
    }
  };
  const line = (seat) => {
    const mine = secrecy.me === seat.seat;
    const taken = secrecy.taken.includes(seat.seat);
    return h(
      "li",
      { class: "seat-line" },
      h("button", { type: "button", "aria-pressed": String(mine), disabled: taken && !mine, "data-key": `sit-${seat.seat}`, onclick: () => ask("/api/door/seat", { seat: seat.seat }) }, sign(seat.sign), h("span", {}, mine ? `${seat.name}: this browser` : seat.name)),
      taken && !mine && h("span", { class: "soft" }, "has a browser already"),
      taken && !mine && isHost() && h("button", { type: "button", class: "small", "data-key": `free-${seat.seat}`, onclick: () => ask("/api/door/free", { seat: seat.seat }) }, `Free the seat of ${seat.name}`),
    );
  };
  const box = dialog(
    "Whose phone is this?",
    h("p", {}, "What a player keeps secret is shown on that player's own phone alone. You stay seated for the next games, until someone else takes this phone."),
    h("ul", { class: "seat-lines" }, ...seats.map(line)),
    answer,
    h(
      "div",
      { class: "dialog-end" },
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"),
      secrecy.me !== null && h("button", { type: "button", "data-key": "own-sign", onclick: () => { box.close(); chooseSign(seats[secrecy.me].name); } }, "Choose my sign"),
      secrecy.me !== null && h("button", { type: "button", "data-key": "nobody", onclick: () => ask("/api/door/seat", { seat: null }) }, "Nobody's: show what all may see"),
    ),
  );
}
