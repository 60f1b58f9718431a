// Outlines of zones: moved, turned and bent without changing what must not change.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bent, middle, shifted, triangle, turned } from "../../web/static/js/lib/outline.js";

const BOX = [[10, 10], [50, 10], [50, 30], [10, 30]];
const side = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

test("a shifted outline has its middle where it was put, and its shape", () => {
  const there = shifted(BOX, [100, 200]);
  assert.deepEqual(middle(there), [100, 200]);
  assert.equal(side(there[0], there[1]), 40);
});

test("a turned triangle points where it is told and keeps its size", () => {
  const there = turned(triangle([200, 200]), 0, [400, 200]);
  assert.ok(there[0][0] > 370 && Math.abs(there[0][1] - 200) < 0.2);
  for (let i = 0; i < 3; i += 1) assert.ok(Math.abs(side(there[i], there[(i + 1) % 3]) - 300) < 0.5);
});

test("bending moves one corner and leaves the others", () => {
  assert.deepEqual(bent(BOX, 2, [61.27, 33.33]), [[10, 10], [50, 10], [61.3, 33.3], [10, 30]]);
});
