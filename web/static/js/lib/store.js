// The page's copy of the table, kept fresh by one stream. Rows are patches to the history. The position is fetched once for each
// version that the stream names, after all rows that led to it. On every reconnection everything is fetched anew, and after five seconds
// without a sign of life the page says that what it shows may be old.

import { nameSeats, t } from "./language.js";
import { get, here } from "./api.js";

const STALE_MS = 5000;
const CHECK_MS = 500;
const POLL_MS = 2000;
const POLLS = 10;

export class Store extends EventTarget {
  /** @param {boolean} [everybody] show what the public may know, whatever seat this browser has */
  constructor(everybody = false) {
    super();
    this.as = everybody ? { public: "1" } : {};
    /** @type {any} */ this.data = null;
    /** @type {any[]} */ this.rows = [];
    /** @type {Set<number>} */ this.undone = new Set();
    /** @type {any} */ this.eyes = null;
    this.stale = false;
    this.heard = performance.now();
    /** @type {EventSource|null} */ this.source = null;
    this.fetching = false;
    /** The fetch in progress. @type {Promise<boolean>} */ this.work = Promise.resolve(true);
    /** Another fetch is wished for: of "all", or of "some" if the position that comes is older than `named`. @type {false|"all"|"some"} */
    this.again = false;
    /** The newest version of the position that the stream has named. */
    this.named = 0;
    this.retry = 0;
    this.wait = 1000;
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.resume()));
    addEventListener("online", () => this.resume());
    addEventListener("offline", () => this.mark(true));
    addEventListener("pagehide", () => this.pause());
    addEventListener("pageshow", (event) => event.persisted && this.resume());
    setInterval(() => {
      if (!document.hidden) this.mark(performance.now() - this.heard > STALE_MS);
    }, CHECK_MS);
    return this.resume();
  }

  pause() {
    this.source?.close();
    this.source = null;
    clearTimeout(this.retry);
  }

  async resume() {
    this.pause();
    if (await this.refresh(true)) this.listen();
    else this.later();
  }

  later() {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.resume(), this.wait);
    this.wait = Math.min(this.wait * 1.6, 8000);
  }

  listen() {
    if (document.hidden) return;
    this.source?.close(); // two wishes to resume may have met while the state was fetched
    const query = new URLSearchParams({ browser: browserName(), game: this.data?.game?.id ?? "", after: String(this.data?.seq ?? 0), ...this.as });
    const source = (this.source = new EventSource(here(`/stream?${query}`)));
    const on = (name, act) =>
      source.addEventListener(name, (event) => {
        this.alive();
        act(event.data ? JSON.parse(event.data) : null);
      });
    on("game", (game) => {
      if (game.game !== (this.data?.game?.id ?? "")) this.refresh(true);
    });
    let late = false; // rows came after the position that they led to
    on("row", (row) => {
      if (this.rows.some((known) => known.n === row.n)) return;
      this.rows.push(row);
      late ||= row.n <= (this.data?.seq ?? 0);
      this.tell("row", row);
    });
    on("position", ({ version, undone }) => {
      late ||= undone.length !== this.undone.size;
      this.undone = new Set(undone);
      this.named = version;
      if (version !== (this.data?.version ?? 0)) this.refresh(false);
      else if (late && this.data) this.tell("data", { before: this.data, data: this.data });
      late = false;
    });
    on("eyes", (eyes) => {
      this.eyes = eyes;
      this.tell("eyes", eyes);
    });
    on("beat", (beat) => {
      // While a position is on its way the rows are here already: what came before the beat is not missing.
      if (!this.fetching && beat.seq !== (this.data?.seq ?? 0)) this.refresh(true);
    });
    let opened = false;
    source.addEventListener("open", () => (opened = true));
    source.addEventListener("error", () => {
      // A closed source never comes back by itself: the server had no place, or is gone.
      if (source.readyState !== EventSource.CLOSED || this.source !== source) return;
      if (opened) this.later();
      else this.poll(POLLS);
    });
  }

  /** Without a stream: ask for the state from time to time, and for a stream now and then. @param {number} times */
  poll(times) {
    clearTimeout(this.retry);
    this.retry = setTimeout(async () => {
      if (times <= 0) this.resume();
      else if (await this.refresh(true)) this.poll(times - 1);
      else this.later();
    }, POLL_MS);
  }

  alive() {
    this.heard = performance.now();
    this.wait = 1000;
    this.mark(false);
  }

  mark(stale) {
    if (stale === this.stale) return;
    this.stale = stale;
    this.tell("stale", stale);
    // The stream may hang on a dead connection for minutes; a fresh one shows at once whether the table is there.
    if (stale && !document.hidden) this.later();
  }

  /**
   * Fetch the present state; `all` with every row. Several wishes at once become one more fetch.
   * @param {boolean} all
   * @returns {Promise<boolean>} when the page shows a state at least as new as this wish: whether it does
   */
  refresh(all) {
    if (this.fetching) this.again = this.again === "all" || all ? "all" : "some";
    else this.work = this.fetch(all);
    return this.work;
  }

  async fetch(all) {
    let got = false;
    this.fetching = true;
    try {
      const data = await get("/api/table", this.as);
      const before = this.data;
      if (data.game && (all || data.game.id !== before?.game?.id)) {
        const history = await get("/api/journal/rows", this.as);
        // A row may have come by the stream while this answer was on its way.
        const last = history.rows.at(-1)?.n ?? 0;
        const newer = data.game.id === before?.game?.id ? this.rows.filter((row) => row.n > last) : [];
        this.rows = [...history.rows, ...newer];
        this.undone = new Set(history.undone);
      }
      this.data = data;
      this.eyes = data.eyes;
      nameSeats((data.seats ?? []).map((seat) => seat.name));
      this.alive();
      this.tell("data", { before, data });
      got = true;
    } catch {
      got = false;
    }
    this.fetching = false;
    const again = this.again;
    this.again = false;
    return again === "all" || (again && this.data?.version !== this.named) ? this.fetch(again === "all") : got;
  }

  /** Show what has happened up to now, if there is anything that the page does not show. */
  async settle() {
    while (this.fetching) await this.work;
    try {
      const { game, version } = await get("/api/table", this.as);
      if (game?.id !== this.data?.game?.id || version !== this.data?.version) await this.refresh(true);
    } catch {
      // The stream asks again for anything that cannot be reached now.
    }
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {string} name @param {(detail: any) => void} act */
  on(name, act) {
    this.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));
  }
}

/** A name for this browser, the same in all its tabs: it may hold six connections in all, so the house holds a few streams for it. */
function browserName() {
  let name = localStorage.getItem("companion-browser");
  if (!name) {
    name = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("companion-browser", name);
  }
  return name;
}

/** Show in the header whether the page is live, and whether the referee sees anything. */
export function showState(store, element) {
  const show = () => {
    const blind = store.eyes?.blind ?? null;
    document.body.classList.toggle("stale", store.stale);
    element.className = store.stale ? "state stale" : blind ? "state blind" : "state live";
    const text = store.stale ? "No news: reconnecting" : (blind ?? "Live");
    if (element.textContent !== t(text)) element.textContent = t(text);
  };
  store.on("stale", show);
  store.on("data", show);
  store.on("eyes", show);
}
