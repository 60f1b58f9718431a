// The live picture: one JPEG at a time onto a canvas, and over it, as SVG, what was read and in which picture.

import { build, h } from "../lib/dom.js";

const FAST_MS = 66;
const CALM_MS = 200;
const LOST_MS = 2000;
const KINDS = { read: "", doubt: "doubt", hand: "hand-mark", board: "board-mark", marker: "marker-mark" };

export class Picture {
  /** @param {HTMLElement} place @param {any} store @param {boolean} near whether to show the table alone, enlarged */
  constructor(place, store, near = false) {
    this.store = store;
    this.near = near;
    this.number = -1;
    this.at = 0;
    this.marks = true;
    this.running = false;
    this.visible = true;
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { width: "16", height: "9", role: "img", "aria-label": "The table as the camera sees it" }));
    this.inner = h("div", { class: "picture-inner" }, this.canvas);
    this.box = h("div", { class: "picture", hidden: true }, this.inner);
    this.none = h("div", { class: "no-picture" });
    this.line = h("p", { class: "picture-line" });
    place.replaceChildren(this.box, this.none, this.line);
    new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting;
      this.run();
    }).observe(place);
    document.addEventListener("visibilitychange", () => this.run());
    store.on("eyes", () => this.status());
    store.on("data", () => this.status());
    this.status();
  }

  status() {
    const eyes = this.store.eyes;
    if (!eyes) return;
    const off = eyes.state === "off";
    const shown = this.number >= 0 && !off;
    this.box.hidden = !shown;
    this.none.hidden = shown;
    this.none.textContent = off ? eyes.text : shown ? "" : eyes.state === "lost" ? eyes.text : `Waiting for a picture. ${eyes.text}`;
    this.box.classList.toggle("moving", eyes.state === "moving" || Boolean(eyes.blind));
    this.overlay(eyes.overlay);
    this.aim(eyes);
    this.caption();
    this.run();
  }

  /** Show the part of the picture where the table is. */
  aim({ corners_px: corners, size_px: size }) {
    let transform = "none";
    if (this.near && corners && size) {
      const ends = [0, 1].map((axis) => corners.map((corner) => corner[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
      const scale = Math.min(3, ...ends.map(([low, high], axis) => size[axis] / (1.22 * (high - low))));
      if (scale > 1.1) {
        const shift = ends.map(([low, high], axis) => Math.min(0, Math.max(1 - scale, 0.5 - (scale * (low + high)) / 2 / size[axis])));
        transform = `translate(${shift.map((part) => `${(100 * part).toFixed(2)}%`).join(", ")}) scale(${scale.toFixed(3)})`;
      }
    }
    this.inner.style.transform = transform;
  }

  caption() {
    const eyes = this.store.eyes;
    if (this.number < 0 || !eyes || eyes.state === "off") {
      this.line.replaceChildren();
      return;
    }
    const read = eyes.overlay ? `read in picture ${eyes.overlay.frame}` : "nothing read yet";
    const text = `${eyes.text}`;
    const numbers = `Picture ${this.number}, ${read}`;
    if (this.line.childElementCount !== 2) this.line.replaceChildren(h("span", {}), h("span", { class: "number" }));
    const [left, right] = this.line.children;
    if (left.textContent !== text) left.textContent = text;
    right.textContent = numbers;
  }

  overlay(overlay) {
    const key = overlay && this.marks ? `${overlay.frame}` : "";
    if (key === this.drawn) return;
    this.drawn = key;
    this.inner.querySelector(":scope > svg.marks")?.remove();
    if (!key) return;
    const [width, height] = overlay.size_px;
    const size = Math.max(10, Math.round(width / 60));
    const shapes = [];
    for (const mark of overlay.marks) {
      const points = mark.outline_px.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
      shapes.push(["polygon", { class: "mark-under", points }, []], ["polygon", { class: `mark ${KINDS[mark.kind] ?? ""}`, points }, []]);
    }
    for (const mark of overlay.marks) {
      if (!mark.label) continue;
      const x = mark.outline_px.reduce((sum, point) => sum + point[0], 0) / mark.outline_px.length;
      const y = mark.outline_px.reduce((sum, point) => sum + point[1], 0) / mark.outline_px.length;
      const text = mark.kind === "doubt" ? `${mark.label}?` : mark.label;
      const across = mark.outline_px.map((point) => point[0]);
      const fits = (Math.max(...across) - Math.min(...across)) / (0.62 * text.length);
      const high = Math.max(size / 4, Math.min(size, fits));
      shapes.push(["text", { class: "mark-label", x: x.toFixed(1), y: (y + high / 3).toFixed(1), "text-anchor": "middle", "font-size": high.toFixed(1) }, [text]]);
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
        const response = await fetch(`/camera/next.jpg?after=${this.number}`);
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
