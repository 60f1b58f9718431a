// Where the labels of a picture stand: at their piece if there is room, else beside it, never over each other.

const GAP = 2;
/** Height of a line, and width of a bold letter, as parts of the size of type. */
const LINE = 1.25;
const LETTER = 0.68;

/** @typedef {{text: string, box: [number, number, number, number], kind: string}} Label a label and its piece: left, top, right, bottom */
/** @typedef {{text: string, kind: string, x: number, y: number, from: [number, number]|null}} Placed its middle, and the middle of the piece it was moved away from */

/**
 * @param {Label[]} labels in the pixels of the screen; doubted ones are placed first
 * @param {number} type the size of type in pixels
 * @param {[number, number]} size of what the labels must stay within
 * @returns {{placed: Placed[], left: number}} what has a place, and how many found none
 */
export function placeLabels(labels, type, [width, height]) {
  /** @type {[number, number, number, number][]} */ const taken = [];
  const placed = [];
  const order = [...labels].sort((a, b) => Number(b.kind === "doubt") - Number(a.kind === "doubt"));
  for (const { text, kind, box } of order) {
    const [half, tall] = [(text.length * LETTER * type) / 2 + GAP, (LINE * type) / 2];
    const middle = /** @type {[number, number]} */ ([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]);
    const [x, y] = middle;
    const ways = [middle, [x, box[1] - tall], [x, box[3] + tall], [box[2] + half, y], [box[0] - half, y], [box[2] + half, box[1] - tall], [box[0] - half, box[3] + tall]];
    const free = ways.find(([cx, cy]) => {
      if (cx < half || cy < tall || cx > width - half || cy > height - tall) return false;
      return !taken.some(([left, top, right, bottom]) => cx - half < right && cx + half > left && cy - tall < bottom && cy + tall > top);
    });
    if (!free) continue;
    taken.push([free[0] - half, free[1] - tall, free[0] + half, free[1] + tall]);
    placed.push({ text, kind, x: free[0], y: free[1], from: free === middle ? null : middle });
  }
  return { placed, left: labels.length - placed.length };
}
