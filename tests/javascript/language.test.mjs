// Names in the place of seats, on a page in English.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: { lang: "en" } };
const { nameSeats, saysAsMuch, t } = await import("../../web/static/js/lib/language.js");

test("a sentence of the rules names people", () => {
  nameSeats(["Ada", "Ben"]);
  assert.equal(t("It is player 2's turn; Player 1 waits."), "It is Ben's turn; Ada waits.");
  assert.equal(t("There is no player 7; players 1 to 2 play."), "There is no player 7; players 1 to 2 play.");
});

test("a line of notation is left out beside a sentence that says the same", () => {
  assert.ok(saysAsMuch("Ada rolls d6 red red, d12 blue.", "rolls d6 red red, d12 blue"));
  assert.ok(!saysAsMuch("Ada lays red red green, value 4, on c13.", "RRG4 c13 RRG"));
});
