// The map from millimetres to pixels: corners land on corners, and back again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, homography } from "../../web/static/js/lib/homography.js";

const MAT = [[0, 0], [440, 0], [440, 400], [0, 400]];
const SEEN = [[102, 80], [610, 95], [640, 455], [60, 440]];

const near = ([x, y], [u, v]) => assert.ok(Math.hypot(x - u, y - v) < 1e-6, `${x},${y} is not ${u},${v}`);

test("each corner lands on its own pixel", () => {
  const map = homography(MAT, SEEN);
  MAT.forEach((corner, i) => near(apply(map, corner), SEEN[i]));
});

test("the way back undoes the way there", () => {
  const [there, back] = [homography(MAT, SEEN), homography(SEEN, MAT)];
  for (const point of [[220, 200], [13, 377], [401.5, 9]]) near(apply(back, apply(there, point)), point);
});

test("lines stay lines", () => {
  const map = homography(MAT, SEEN);
  const [[ax, ay], [bx, by], [cx, cy]] = [[40, 60], [140, 160], [300, 320]].map((point) => apply(map, point));
  assert.ok(Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) < 1e-6);
});

test("four points on one line give no map", () => {
  assert.equal(homography([[0, 0], [1, 1], [2, 2], [3, 3]], SEEN), null);
});
