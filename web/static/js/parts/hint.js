// A good move for who asks. Off until the table allows it; the record says when it was allowed and who was shown one.

import { t } from "../lib/language.js";
import { Refusal, post } from "../lib/api.js";
import { build, dialog, fill, h } from "../lib/dom.js";

/** The button beside the turn. @param {any} store @param {(command: any) => Promise<boolean>} tell */
export function hintButton(store, tell) {
  const on = store.data.hints;
  return h("button", { type: "button", class: on ? "small" : "small quiet", "data-key": "hint", onclick: () => (on ? show(store, tell) : allow(store)) }, on ? "Show me a good move" : "Hints are off");
}

async function allow(store) {
  const said = h("p", { class: "answer bad", role: "status" });
  const yes = h("button", { type: "button", class: "primary", "data-key": "allow-hints" }, "Allow hints");
  const box = dialog(
    "Allow hints at this table?",
    h("p", {}, "The player whose turn it is can then ask for a good move. The history shows every hint."),
    said,
    h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"), yes),
  );
  yes.addEventListener("click", () => change(store, store.data.seq, true, box, said));
}

async function change(store, seq, on, box, said) {
  try {
    await post("/api/hint/allow", { expected: seq, allow: on });
    box.close();
    store.refresh(false);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    said.textContent = t(error.message);
  }
}

async function show(store, tell) {
  let { seq } = store.data;
  const said = h("p", { role: "status" }, "Thinking about it.");
  const place = h("div", {});
  const end = h("div", { class: "dialog-end" });
  const box = dialog("A good move", said, place, end);
  const close = h("button", { type: "button", class: "quiet", "data-key": "close-hint", onclick: () => box.close() }, "Close");
  const off = h("button", { type: "button", class: "quiet", "data-key": "no-hints", onclick: () => change(store, seq, false, box, said) }, "No more hints");
  fill(end, off, close);
  try {
    const found = await post("/api/hint", { expected: seq });
    seq = found.seq;
    said.textContent = t(`${store.data.seats[found.seat].name} ${found.sentence}.`);
    const play = h("button", { type: "button", class: "primary", "data-key": "play-hint" }, "Play it");
    play.addEventListener("click", () => {
      box.close();
      tell({ event: found.event, expected: found.seq });
    });
    fill(place, h("p", {}, h("code", {}, found.text)), h("div", { class: "hint-board" }, build(found.board)));
    fill(end, off, close, play);
    play.focus();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    said.textContent = t(error.message);
  }
}
