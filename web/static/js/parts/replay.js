// Replay: the board as it stood after any row, stepped by buttons, by the slider's keys, or by itself.

import { t } from "../lib/language.js";
import { Refusal, get, mayChange } from "../lib/api.js";
import { build, byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";

const icon = (d) =>
  build(["svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, [["path", { d, fill: "currentColor", stroke: "currentColor", "stroke-width": "2.4", "stroke-linejoin": "round" }, []]]]);

const PLAY_MS = 1100;

export class Replay {
  /** @param {any} store @param {{board: (tree: any) => void, end: () => void, undo: (to: number) => void, moved: () => void}} act */
  constructor(store, act) {
    this.store = store;
    this.act = act;
    /** @type {number|null} */ this.n = null;
    this.timer = 0;
    this.asked = 0;
  }

  /** Show the board after row `n`. */
  async go(n) {
    const last = this.store.rows.length;
    this.n = Math.max(0, Math.min(n, last));
    const asked = (this.asked += 1);
    try {
      const found = await get(`/api/journal/board/${this.n}`);
      if (asked !== this.asked || this.n === null) return;
      this.act.board(found.board);
      this.bar(found, last);
      this.act.moved();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(error.message);
    }
  }

  bar(found, last) {
    const place = byId("replay");
    const names = this.store.data.seats.map((seat) => seat.name);
    const text = found.row ? found.row.sentence : "The start of the game.";
    const scores = found.scores.map((score, seat) => `${names[seat]} ${score}`).join(" · ");
    if (place.hidden) {
      place.hidden = false;
      place.replaceChildren();
      const step = (label, d, to) => h("button", { type: "button", class: "icon-button", "aria-label": label, onclick: () => this.step(to()) }, icon(d));
      this.slider = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: "0", "aria-label": "Row", oninput: () => this.step(Number(this.slider.value)) }));
      this.play = h("button", { type: "button", class: "small", "aria-pressed": "false", onclick: () => this.toggle() }, "Play");
      this.text = h("p", {});
      this.scores = h("p", { class: "soft" });
      this.count = h("strong", {});
      this.back = h("button", { type: "button", class: "small", onclick: () => this.act.undo(/** @type {number} */ (this.n)) }, "Go back to here");
      place.append(
        h(
          "div",
          { class: "replay-row" },
          step("First", "M6 5v14M19 5l-9 7 9 7z", () => 0),
          step("One back", "M17 5l-10 7 10 7z", () => this.n - 1),
          this.slider,
          step("One on", "M7 5l10 7-10 7z", () => this.n + 1),
          step("Last", "M18 5v14M5 5l9 7-9 7z", () => this.store.rows.length),
        ),
        h("div", { class: "replay-row" }, this.count, this.play, mayChange() && this.back, h("button", { type: "button", class: "small primary", onclick: () => this.end() }, "Back to now")),
        this.text,
        this.scores,
      );
      place.onkeydown = (event) => {
        if (event.key === "Escape") this.end();
        else if (event.key === "ArrowLeft" && event.target !== this.slider) this.step(this.n - 1);
        else if (event.key === "ArrowRight" && event.target !== this.slider) this.step(this.n + 1);
      };
      this.slider.focus();
    }
    this.slider.max = String(last);
    this.slider.value = String(found.n);
    this.slider.setAttribute("aria-valuetext", found.n ? `row ${found.n}: ${text}` : "the start");
    this.count.textContent = t(`Row ${found.n} of ${last}`);
    this.text.textContent = t(text);
    this.scores.textContent = scores;
    this.back.toggleAttribute("disabled", found.n === last);
  }

  step(n) {
    this.stop();
    return this.go(n);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    this.play.textContent = t("Stop");
    this.play.setAttribute("aria-pressed", "true");
    if (this.n >= this.store.rows.length) this.n = -1;
    const on = async () => {
      await this.go(this.n + 1);
      if (this.n === null || this.n >= this.store.rows.length) this.stop();
      else if (this.timer) this.timer = setTimeout(on, PLAY_MS);
    };
    this.timer = setTimeout(on, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.play) {
      this.play.textContent = t("Play");
      this.play.setAttribute("aria-pressed", "false");
    }
  }

  end() {
    this.stop();
    this.n = null;
    this.asked += 1;
    byId("replay").hidden = true;
    fill(byId("replay"));
    this.act.end();
  }
}
