// The live picture: one JPEG at a time onto a canvas, and over it, as SVG, what was read and in which picture.

import { t } from "../lib/language.js";
import { here } from "../lib/api.js";
import { build, byId, dialog, h } from "../lib/dom.js";
import { placeLabels } from "../lib/labels.js";

const FAST_MS = 66;
const CALM_MS = 200;
const LOST_MS = 2000;
const KINDS = { read: "", doubt: "doubt", hand: "hand-mark", board: "board-mark", marker: "marker-mark" };
/** The size of labels, in pixels of the screen. */
const TYPE_PX = 13;
/** A picture that is nearly straight is turned by whole quarters, any other in steps, so that it does not tremble. */
const STRAIGHT_DEG = 20;
const STEP_DEG = 5;

export class Picture {
  /**
   * @param {HTMLElement} place @param {any} store
   * @param {{near?: boolean, turned?: boolean}} [way] whether to show the table alone, enlarged; whether to turn it as the board is turned
   */
  constructor(place, store, { near = false, turned = false } = {}) {
    this.store = store;
    this.near = near;
    this.turned = turned;
    this.full = false;
    this.number = -1;
    this.marks = true;
    this.running = false;
    this.visible = true;
    this.place = place;
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { width: "16", height: "9", role: "img", "aria-label": "The table as the camera sees it" }));
    this.inner = h("div", { class: "picture-inner" }, this.canvas);
    this.zoom = h("div", { class: "picture-zoom" }, this.inner);
    this.labels = h("div", { class: "picture-labels", "aria-hidden": "true" });
    this.box = h("div", { class: "picture", hidden: true }, this.zoom, this.labels);
    this.none = h("div", { class: "no-picture" });
    this.line = h("p", { class: "picture-line" });
    place.replaceChildren(this.box, this.none, this.line);
    new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting;
      this.run();
    }).observe(place);
    new ResizeObserver(() => this.label()).observe(this.box);
    if (turned) new MutationObserver(() => this.aim()).observe(document.documentElement, { attributeFilter: ["style"] });
    document.addEventListener("visibilitychange", () => this.run());
    store.on("eyes", () => this.status());
    store.on("data", () => this.status());
    this.status();
  }

  status() {
    const eyes = this.store.eyes;
    if (!eyes) return;
    // Another game may have other eyes, which number their pictures afresh.
    if (this.game !== this.store.data?.game?.id) this.number = -1;
    this.game = this.store.data?.game?.id;
    const off = eyes.state === "off";
    const shown = this.number >= 0 && !off;
    this.box.hidden = !shown;
    this.none.hidden = shown;
    this.none.textContent = t(off ? eyes.text : shown ? "" : eyes.state === "lost" ? eyes.text : `Waiting for a picture. ${eyes.text}`);
    this.box.classList.toggle("moving", eyes.state === "moving" || Boolean(eyes.blind));
    this.overlay(eyes.overlay);
    this.aim();
    this.caption();
    this.run();
  }

  /** By how many degrees the picture is turned, clockwise, to lie as the board lies on this screen. */
  degrees() {
    const { overlay, corners_px: corners } = this.store.eyes ?? {};
    if (!this.turned || !corners) return 0;
    const rim = overlay?.marks.find((mark) => mark.kind === "board")?.outline_px;
    const middle = rim && [0, 1].map((axis) => rim.reduce((sum, point) => sum + point[axis], 0) / rim.length);
    // A board's first corner is its upper end; without a board, the table's upper edge goes from corner 0 to corner 1.
    const lies = rim ? Math.atan2(rim[0][0] - middle[0], middle[1] - rim[0][1]) : Math.atan2(corners[1][1] - corners[0][1], corners[1][0] - corners[0][0]);
    const board = parseFloat(document.documentElement.style.getPropertyValue("--turn")) || 0;
    const turn = (((board - (lies * 180) / Math.PI) % 360) + 360) % 360;
    const quarter = 90 * Math.round(turn / 90);
    return (Math.abs(turn - quarter) <= STRAIGHT_DEG ? quarter : STEP_DEG * Math.round(turn / STEP_DEG)) % 360;
  }

  /** Turn the picture, and show the part of it where the table is. */
  aim() {
    const [wide, high] = this.store.eyes?.size_px ?? [this.canvas.width, this.canvas.height];
    const degrees = this.degrees();
    const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    // The turned picture lies within a box of these sides.
    const [across, down] = [wide * Math.abs(cosine) + high * Math.abs(sine), wide * Math.abs(sine) + high * Math.abs(cosine)];
    const lies = ([x, y]) => [0.5 + ((x - wide / 2) * cosine - (y - high / 2) * sine) / across, 0.5 + ((x - wide / 2) * sine + (y - high / 2) * cosine) / down];
    this.box.style.setProperty("--ratio", (across / down).toFixed(4));
    const [part, tall] = [(100 * wide) / across, (100 * high) / down];
    Object.assign(this.inner.style, { width: `${part}%`, height: `${tall}%`, left: `${50 - part / 2}%`, top: `${50 - tall / 2}%`, transform: degrees ? `rotate(${degrees}deg)` : "none" });
    let scale = 1;
    let shift = [0, 0];
    const corners = this.store.eyes?.corners_px;
    if (this.near && corners) {
      const points = corners.map(lies);
      const ends = [0, 1].map((axis) => points.map((point) => point[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
      const larger = Math.min(3, ...ends.map(([low, end]) => 1 / (1.22 * (end - low))));
      if (larger > 1.1) {
        scale = larger;
        shift = ends.map(([low, end]) => Math.min(0, Math.max(1 - larger, 0.5 - (larger * (low + end)) / 2)));
      }
    }
    this.zoom.style.transform = scale > 1 ? `translate(${shift.map((one) => `${(100 * one).toFixed(2)}%`).join(", ")}) scale(${scale.toFixed(3)})` : "none";
    /** Where a point of the picture lies in the box, in parts of its sides. */
    this.shown = (point) => lies(point).map((one, axis) => one * scale + shift[axis]);
    this.way = [degrees, scale, ...shift].join(" ");
    this.label();
  }

  /** Write labels in the screen's own size: at their pieces, never over each other. */
  label() {
    const overlay = this.marks ? this.store.eyes?.overlay : null;
    const [width, height] = [this.box.clientWidth, this.box.clientHeight];
    const key = overlay && width ? [overlay.frame, width, height, this.way].join(" ") : "";
    if (key === this.labeled) return;
    this.labeled = key;
    if (!key) {
      this.labels.replaceChildren();
      this.left = 0;
      return;
    }
    const labels = [];
    for (const mark of overlay.marks) {
      if (!mark.label) continue;
      const points = mark.outline_px.map((point) => this.shown(point).map((part, axis) => part * (axis ? height : width)));
      const ends = [0, 1].map((axis) => points.map((point) => point[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
      labels.push({ text: mark.kind === "doubt" ? `${mark.label}?` : mark.label, kind: mark.kind, box: [ends[0][0], ends[1][0], ends[0][1], ends[1][1]] });
    }
    const { placed, left } = placeLabels(labels, TYPE_PX, [width, height]);
    const lines = placed.filter((one) => one.from).map((one) => ["path", { class: "mark-leader", d: `M${one.from.map((part) => part.toFixed(1)).join(" ")}L${one.x.toFixed(1)} ${one.y.toFixed(1)}` }, []]);
    const texts = placed.map((one) => ["text", { class: one.kind === "doubt" ? "mark-label doubted" : "mark-label", x: one.x.toFixed(1), y: (one.y + TYPE_PX * 0.35).toFixed(1), "text-anchor": "middle", "font-size": TYPE_PX }, [one.text]]);
    this.left = left;
    this.labels.replaceChildren(build(["svg", { viewBox: `0 0 ${width} ${height}`, width, height }, [...lines, ...texts]]));
    this.caption();
  }

  /** Show the full picture as large as the window, with its tools. @param {HTMLElement} tools @param {() => void} changed */
  enlarge(tools, changed) {
    const near = this.near;
    const [home, stub] = [this.place.parentElement, document.createComment("")];
    home.insertBefore(stub, tools);
    const end = h("div", { class: "dialog-end" }, h("button", { type: "button", class: "primary", onclick: () => box.close() }, "Close"));
    const box = dialog("What the camera sees", tools, this.place, end);
    box.classList.add("full-picture");
    const set = (full) => {
      this.full = full;
      this.near = full ? false : near;
      this.status();
      changed();
    };
    box.addEventListener("close", () => {
      stub.replaceWith(tools, this.place);
      set(false);
      byId("picture-tools")?.querySelector('[data-key="enlarge"]')?.focus();
    });
    set(true);
  }

  caption() {
    const eyes = this.store.eyes;
    if (this.number < 0 || !eyes || eyes.state === "off") {
      this.line.replaceChildren();
      return;
    }
    const read = eyes.overlay ? `read in picture ${eyes.overlay.frame}` : "nothing read yet";
    const text = `${eyes.text}`;
    const numbers = `Picture ${this.number}, ${read}${this.left ? `; ${this.left} more ${this.left === 1 ? "label" : "labels"} than fit` : ""}`;
    if (this.line.childElementCount !== 2) this.line.replaceChildren(h("span", {}), h("span", { class: "number" }));
    const [left, right] = this.line.children;
    if (left.textContent !== t(text)) left.textContent = t(text);
    right.textContent = t(numbers);
  }

  overlay(overlay) {
    const key = overlay && this.marks ? `${overlay.frame}` : "";
    if (key === this.drawn) return;
    this.drawn = key;
    this.inner.querySelector(":scope > svg.marks")?.remove();
    if (!key) return;
    const [width, height] = overlay.size_px;
    const shapes = [];
    for (const mark of overlay.marks) {
      const points = mark.outline_px.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
      shapes.push(["polygon", { class: "mark-under", points }, []], ["polygon", { class: `mark ${KINDS[mark.kind] ?? ""}`, points }, []]);
    }
    const name = `What was read in picture ${overlay.frame}: ${overlay.marks.filter((mark) => mark.kind === "read" || mark.kind === "doubt").length} pieces`;
    this.inner.append(build(["svg", { class: "marks", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": name }, shapes]));
  }

  run() {
    const eyes = this.store.eyes;
    const wanted = !document.hidden && this.visible && eyes && eyes.state !== "off";
    if (!wanted || this.running) {
      this.stop = !wanted;
      return;
    }
    this.stop = false;
    this.running = true;
    this.loop().finally(() => {
      this.running = false;
    });
  }

  async loop() {
    while (!this.stop) {
      const started = performance.now();
      let pause = this.store.eyes?.state === "moving" ? FAST_MS : CALM_MS;
      try {
        const response = await fetch(here(`/camera/next.jpg?after=${this.number}`));
        if (response.status === 200) await this.draw(response);
        else pause = response.status === 204 ? CALM_MS : LOST_MS;
      } catch {
        pause = LOST_MS;
      }
      const rest = pause - (performance.now() - started);
      await new Promise((done) => setTimeout(done, Math.max(0, rest)));
    }
  }

  async draw(response) {
    const number = Number(response.headers.get("X-Frame"));
    const bitmap = await createImageBitmap(await response.blob());
    if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
      this.canvas.width = bitmap.width;
      this.canvas.height = bitmap.height;
      this.aim();
    }
    this.canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    bitmap.close();
    const first = this.number < 0;
    this.number = number;
    if (first) this.status();
    else this.caption();
    this.onpicture?.();
  }
}
