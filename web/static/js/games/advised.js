// A panel that the game advises: what it tells of the position comes with each piece of news.

import { get } from "../lib/api.js";
import { CellPanel } from "../parts/cell.js";
import { Pictures } from "./pictures.js";

export class AdvisedPanel extends CellPanel {
  constructor(store, act) {
    super(store, act);
    /** The game's advice; null before the first news. @type {any} */ this.advice = null;
    /** The subject of the question, beside the position. @type {string|number|null} */ this.about = null;
    this.seq = -1;
  }

  /** Another position is there: what was chosen in the one before is of no interest. */
  moved() {
    this.about = null;
  }

  /** The advice has come. @param {boolean} _fresh whether the one before was of another position */
  advised(_fresh) {
    this.tell();
  }

  /** Fetch what the game tells, and show it; what a newer position has overtaken is thrown away. */
  async news() {
    const { version, seq } = this.store.data;
    if (this.seq !== seq) this.moved();
    this.seq = seq;
    try {
      const advice = await get("/api/advice", { about: this.about });
      if (this.store.data.version !== version) return;
      const fresh = this.advice?.seq !== advice.seq;
      this.advice = advice;
      this.pictures = new Pictures(advice.pieces);
      this.advised(fresh);
    } catch (error) {
      this.fail(error);
    }
  }
}
