// Outlines of zones in table millimeters: moved point by point, as a whole, or, where the shape is fixed, turned.

/** @typedef {[number, number]} Point */

const tenth = (value) => Math.round(value * 10) / 10;

/** Middle of the corners. @param {Point[]} outline @returns {Point} */
export function middle(outline) {
  const sum = outline.reduce(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [sum[0] / outline.length, sum[1] / outline.length];
}

/** The outline with its middle at another place. @param {Point[]} outline @param {Point} to @returns {Point[]} */
export function shifted(outline, to) {
  const [x, y] = middle(outline);
  return outline.map((point) => [tenth(point[0] + to[0] - x), tenth(point[1] + to[1] - y)]);
}

/** The outline turned around its middle, so that corner `i` points at `to`; its size stays. @param {Point[]} outline @param {number} i @param {Point} to @returns {Point[]} */
export function turned(outline, i, to) {
  const [x, y] = middle(outline);
  const angle = Math.atan2(to[1] - y, to[0] - x) - Math.atan2(outline[i][1] - y, outline[i][0] - x);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return outline.map((point) => [tenth(x + cos * (point[0] - x) - sin * (point[1] - y)), tenth(y + sin * (point[0] - x) + cos * (point[1] - y))]);
}

/** The outline with one corner elsewhere. @param {Point[]} outline @param {number} i @param {Point} to @returns {Point[]} */
export function bent(outline, i, to) {
  return outline.map((point, at) => (at === i ? [tenth(to[0]), tenth(to[1])] : point));
}

/** A board of 300 mm a side around a place: apex, left, right. @param {Point} at @returns {Point[]} */
export function triangle([x, y]) {
  const reach = 300 / Math.sqrt(3);
  return [
    [tenth(x), tenth(y - reach)],
    [tenth(x - 150), tenth(y + reach / 2)],
    [tenth(x + 150), tenth(y + reach / 2)],
  ];
}
