// Labels in a picture: never over each other, never outside, doubted ones first.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placeLabels } from "../../web/static/js/lib/labels.js";
import { points } from "../../web/static/js/lib/words.js";

const label = (text, x, y, kind = "sure") => ({ text, kind, box: [x - 10, y - 10, x + 10, y + 10] });

test("a label with room stands at its piece", () => {
  const { placed, left } = placeLabels([label("R1", 100, 100)], 12, [400, 300]);
  assert.equal(left, 0);
  assert.deepEqual([placed[0].x, placed[0].y, placed[0].from], [100, 100, null]);
});

test("two labels of one place do not cover each other", () => {
  const { placed } = placeLabels([label("R1", 100, 100), label("G2", 102, 100)], 12, [400, 300]);
  assert.equal(placed.length, 2);
  assert.deepEqual(placed[1].from, [102, 100]);
});

test("a doubted label is placed before a sure one", () => {
  const { placed } = placeLabels([label("R1", 100, 100), label("G2", 101, 100, "doubt")], 12, [400, 300]);
  assert.equal(placed[0].text, "G2");
  assert.equal(placed[0].from, null);
});

test("what has no room is counted and not shown", () => {
  const { placed, left } = placeLabels([label("a very long label", 5, 5)], 12, [40, 30]);
  assert.deepEqual([placed.length, left], [0, 1]);
});

test("one point, two points, minus one point", () => {
  assert.deepEqual([1, 2, -1, 0].map(points), ["1 point", "2 points", "-1 point", "0 points"]);
});
