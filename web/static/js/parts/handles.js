// Points over the picture that can be moved: dragged, chosen and then placed by a tap, or by the arrow keys. A loupe shows the place.

import { h } from "../lib/dom.js";

const LOUPE_PX = 150;
const ZOOM = 4;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Handles {
  /**
   * @param {HTMLElement} box the picture's box
   * @param {HTMLCanvasElement} canvas
   * @param {(i: number, point: [number, number]) => void} moved in pixels of the full picture
   */
  constructor(box, canvas, moved) {
    this.box = box;
    this.canvas = canvas;
    this.moved = moved;
    /** @type {{button: HTMLElement, name: string, point: [number, number]}[]} */ this.handles = [];
    this.chosen = -1;
    this.size = [1, 1];
    this.loupe = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "loupe", width: String(LOUPE_PX), height: String(LOUPE_PX), hidden: true, "aria-hidden": "true" }));
    box.append(this.loupe);
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) box.addEventListener(name, () => this.up());
  }

  /** Show these points; none at all ends editing. */
  set(points, names, size, kind = "") {
    const keep = points.length === this.handles.length ? this.chosen : -1;
    for (const { button } of this.handles) button.remove();
    this.size = size;
    this.chosen = keep;
    this.box.classList.toggle("editing", points.length > 0);
    this.handles = points.map((point, i) => {
      const button = h(
        "button",
        { type: "button", class: `handle ${kind}`, "data-i": String(i), onfocus: () => this.choose(i), onkeydown: (event) => this.key(event, i) },
        h("span", { "aria-hidden": "true" }, names[i].split(" ")[0]),
      );
      this.box.append(button);
      return { button, name: names[i], point };
    });
    this.place();
    if (points.length === 0) this.loupe.hidden = true;
  }

  /** Move one point from outside, such as from a number field. */
  put(i, point) {
    this.handles[i].point = point;
    this.place();
  }

  place() {
    this.handles.forEach(({ button, name, point }, i) => {
      button.style.left = `${(100 * point[0]) / this.size[0]}%`;
      button.style.top = `${(100 * point[1]) / this.size[1]}%`;
      button.setAttribute("aria-label", `${name}: x ${Math.round(point[0])}, y ${Math.round(point[1])}. Arrow keys move it`);
      button.setAttribute("aria-pressed", String(i === this.chosen));
    });
  }

  choose(i) {
    this.chosen = i;
    this.place();
    this.look();
  }

  at(event) {
    const frame = this.box.getBoundingClientRect();
    const clamp = (value, most) => Math.min(Math.max(value, 0), most);
    return /** @type {[number, number]} */ ([
      clamp(((event.clientX - frame.left) / frame.width) * this.size[0], this.size[0]),
      clamp(((event.clientY - frame.top) / frame.height) * this.size[1], this.size[1]),
    ]);
  }

  down(event) {
    if (this.handles.length === 0) return;
    const button = event.target.closest(".handle");
    event.preventDefault();
    if (button) {
      const i = Number(button.dataset.i);
      button.focus({ preventScroll: true });
      this.choose(i);
      this.drag = i;
      this.box.setPointerCapture(event.pointerId);
    } else if (this.chosen >= 0) {
      this.change(this.chosen, this.at(event));
      this.handles[this.chosen].button.focus({ preventScroll: true });
    }
  }

  move(event) {
    if (this.drag === undefined) return;
    this.change(this.drag, this.at(event));
  }

  up() {
    this.drag = undefined;
  }

  key(event, i) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    const [x, y] = this.handles[i].point;
    this.change(i, [Math.min(Math.max(x + by * step[0], 0), this.size[0]), Math.min(Math.max(y + by * step[1], 0), this.size[1])]);
  }

  change(i, point) {
    const rounded = /** @type {[number, number]} */ (point.map((value) => Math.round(value * 10) / 10));
    this.handles[i].point = rounded;
    this.place();
    this.look();
    this.moved(i, rounded);
  }

  /** The neighborhood of the chosen point, four times as large, in the half that it is not in. */
  look() {
    const handle = this.handles[this.chosen];
    if (!handle || this.canvas.width < 32) {
      this.loupe.hidden = true;
      return;
    }
    const [x, y] = handle.point;
    const scale = this.canvas.width / this.size[0];
    const half = LOUPE_PX / ZOOM / 2;
    const context = this.loupe.getContext("2d");
    if (!context) return;
    context.fillStyle = "#000";
    context.fillRect(0, 0, LOUPE_PX, LOUPE_PX);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, x * scale - half, y * scale - half, 2 * half, 2 * half, 0, 0, LOUPE_PX, LOUPE_PX);
    context.strokeStyle = "#000";
    context.lineWidth = 3;
    for (const color of ["#000", "#fff"]) {
      context.strokeStyle = color;
      context.beginPath();
      context.moveTo(LOUPE_PX / 2, 30);
      context.lineTo(LOUPE_PX / 2, LOUPE_PX - 30);
      context.moveTo(30, LOUPE_PX / 2);
      context.lineTo(LOUPE_PX - 30, LOUPE_PX / 2);
      context.stroke();
      context.lineWidth = 1;
    }
    this.loupe.hidden = false;
    this.loupe.style.left = `calc(50% - ${LOUPE_PX / 2}px)`;
    this.loupe.style.top = y < this.size[1] / 2 ? "auto" : "10px";
    this.loupe.style.bottom = y < this.size[1] / 2 ? "10px" : "auto";
  }
}
