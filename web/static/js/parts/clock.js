// The chess clock: what is left, by player, and the dialog that sets it. It stands while something is open; nobody loses by it.

import { t } from "../lib/language.js";
import { Refusal, mayChange, post } from "../lib/api.js";
import { byId, dialog, h } from "../lib/dom.js";

const TICK_MS = 200;
let timer = 0;

/** A time as clocks show it: "4:05", "1:02:03", with a minus where it is up. @param {number} seconds */
export function shown(seconds) {
  const whole = Math.ceil(Math.abs(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const text = (parts[0] ? parts : parts.slice(1)).map((part, i) => (i ? String(part).padStart(2, "0") : String(part))).join(":");
  return seconds < 0 && whole ? `\u2212${text}` : text;
}

/** Show the clock of the last news in every place that is marked for it, and let it run. @param {any} store */
export function showClock(store) {
  clearInterval(timer);
  const { clock } = store.data;
  const since = performance.now();
  const draw = () => {
    const spent = clock && !clock.stands ? (performance.now() - since) / 1000 : 0;
    for (const place of document.querySelectorAll("[data-clock]")) {
      const seat = Number(/** @type {HTMLElement} */ (place).dataset.clock);
      const runs = Boolean(clock?.seats.includes(seat));
      const game = clock?.game_s ? shown(clock.game_s[seat] - (runs ? spent : 0)) : "";
      const turn = clock && clock.turn_s !== null && runs ? shown(clock.turn_s - spent) : "";
      const text = [game, turn && (game ? `turn ${turn}` : turn)].filter(Boolean).join(" · ");
      const up = text.includes("\u2212");
      place.classList.toggle("up", up);
      place.textContent = t(`${text}${up ? " time is up" : ""}${text && runs && clock.stands ? " (stands)" : ""}`);
    }
  };
  draw();
  if (clock && !clock.stands) timer = setInterval(draw, TICK_MS);
}

/** The button that sets it. @param {any} store */
export const clockButton = (store) => mayChange() && h("button", { type: "button", class: "small quiet", "data-key": "clock", onclick: () => choose(store) }, "Clock");

function choose(store) {
  const field = (name, words, value) => h("label", { for: `clock-${name}` }, words, h("input", { id: `clock-${name}`, type: "number", min: "0", max: "360", step: "any", value }));
  const said = h("p", { class: "answer bad", role: "status" });
  const send = async (pace) => {
    try {
      await post("/api/table/clock", { expected: store.data.seq, pace });
      box.close();
      store.refresh(false);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      said.textContent = t(error.message);
    }
  };
  const seconds = (name, unit) => Math.round(unit * (Number(byId(`clock-${name}`).value) || 0));
  const set = () => send({ game_s: seconds("game", 60), increment_s: seconds("increment", 1), turn_s: seconds("turn", 1) });
  const box = dialog(
    "A clock",
    h("p", { class: "soft" }, "It stops while a question is open. The page says when a player's time is up; the table decides what follows."),
    field("game", "Minutes for each player", "10"),
    field("increment", "Extra seconds per turn", "5"),
    field("turn", "Seconds per turn (0: no limit)", "0"),
    said,
    h(
      "div",
      { class: "dialog-end" },
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"),
      store.data.clock && h("button", { type: "button", "data-key": "clock-off", onclick: () => send(null) }, "Remove the clock"),
      h("button", { type: "button", class: "primary", "data-key": "clock-on", onclick: set }, "Set the clock"),
    ),
  );
}
