// Detects motion in a video, and the shaking of a camera that a hand holds, from small copies of its pictures.

const THUMB = { width: 96, height: 54 };
/** A pixel of the small copy has changed if its three colors together differ by more levels than this. */
const CHANGED_LEVELS = 45;
/** The least number of changed pixels that is motion. */
const MOTION_PIXELS = 2;
/** The small copy is divided into this number of blocks in each direction. */
const BLOCKS = 4;
/** A block with a larger range of green levels has texture, so that a shaking camera must change it. */
const TEXTURE_LEVELS = 40;
const LEAST_TEXTURED = 4;
/** The camera shakes if a larger share of the blocks with texture has changed. */
const SHAKING_SHARE = 0.7;
/** The camera counts as held by a hand once this number more pictures have shaken than not. */
const SHAKEN_PICTURES = 6;

export class MotionDetector {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.canvas.width = THUMB.width;
    this.canvas.height = THUMB.height;
    /** @type {Uint8ClampedArray|null} */ this.before = null;
    /** The time of the last motion, by `performance.now()`. */
    this.movedAt = 0;
    this.shaken = 0;
  }

  /** True if a hand holds the camera. */
  get isShaken() {
    return this.shaken >= SHAKEN_PICTURES;
  }

  /**
   * Compares the present picture with the one of the last call.
   * @param {HTMLVideoElement} video
   * @returns {boolean} true if something has moved; always true the first time
   */
  look(video) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { willReadFrequently: true }));
    context.drawImage(video, 0, 0, THUMB.width, THUMB.height);
    const now = context.getImageData(0, 0, THUMB.width, THUMB.height).data;
    const before = this.before;
    let changed = before ? 0 : MOTION_PIXELS;
    const blocks = Array.from({ length: BLOCKS * BLOCKS }, () => ({ low: 255, high: 0, changed: false }));
    for (let i = 0; before && i < now.length; i += 4) {
      const column = (i / 4) % THUMB.width;
      const row = Math.floor(i / 4 / THUMB.width);
      const block = blocks[Math.floor((row * BLOCKS) / THUMB.height) * BLOCKS + Math.floor((column * BLOCKS) / THUMB.width)];
      block.low = Math.min(block.low, now[i + 1]);
      block.high = Math.max(block.high, now[i + 1]);
      if (Math.abs(now[i] - before[i]) + Math.abs(now[i + 1] - before[i + 1]) + Math.abs(now[i + 2] - before[i + 2]) > CHANGED_LEVELS) {
        changed += 1;
        block.changed = true;
      }
    }
    const textured = blocks.filter((block) => block.high - block.low > TEXTURE_LEVELS);
    const shakes = textured.length >= LEAST_TEXTURED && textured.filter((block) => block.changed).length > SHAKING_SHARE * textured.length;
    this.shaken = Math.max(0, Math.min(2 * SHAKEN_PICTURES, this.shaken + (shakes ? 1 : -1)));
    this.before = now;
    if (changed < MOTION_PIXELS) return false;
    this.movedAt = performance.now();
    return true;
  }
}
