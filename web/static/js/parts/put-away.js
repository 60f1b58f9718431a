// The question before a game that is being played gives way to another one: the same wherever a new game is begun.

import { Refusal, get } from "../lib/api.js";
import { dialog, h } from "../lib/dom.js";

/**
 * Do what begins another game; where one is being played, ask first.
 * @param {(instead?: string) => Promise<any>} begin  does it; `instead` names the game that is put away
 * @param {string} [table]  where the table's page is, if this is another page
 */
export async function beginInstead(begin, table) {
  try {
    await begin();
  } catch (error) {
    const running = error instanceof Refusal && error.status === 409 ? (await get("/api/table")).game : null;
    if (!running) throw error;
    if (await mayPutAway(error.message, table)) await begin(running.id);
  }
}

/** Ask; resolves to true if the running game may be put away. */
function mayPutAway(sentence, table) {
  return new Promise((resolve) => {
    const box = dialog(
      "Put the running game away?",
      h("p", {}, sentence),
      h(
        "div",
        { class: "dialog-end" },
        h("button", { type: "button", "data-key": "put-away", onclick: () => { resolve(true); box.close(); } }, "Begin the new game"),
        table
          ? h("a", { class: "button primary", "data-key": "go-on", href: table }, "Go on with the game")
          : h("button", { type: "button", class: "button primary", "data-key": "go-on", onclick: () => box.close() }, "Go on with the game"),
      ),
    );
    box.addEventListener("close", () => resolve(false));
  });
}
