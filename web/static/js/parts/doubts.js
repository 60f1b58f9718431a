// Pieces that were never surely read: one line each, opened with a tap and settled with another. The game goes on meanwhile.

import { mayChange } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";

/**
 * @param {any} store
 * @param {(place: string, choice: number) => void} settle
 */
export function showDoubts(store, settle) {
  const place = byId("doubts");
  if (!place) return;
  const doubts = store.data.doubts ?? [];
  const open = new Set([...place.querySelectorAll("details[open]")].map((one) => one.dataset.place));
  place.hidden = doubts.length === 0;
  fill(
    place,
    h("h2", { id: "doubts-title" }, doubts.length === 1 ? "1 piece is doubted" : `${doubts.length} pieces are doubted`),
    h("p", { class: "soft" }, "The game goes on with what each most likely is."),
    ...doubts.map((doubt) => line(doubt, open.has(doubt.place), settle)),
  );
}

function line(doubt, open, settle) {
  const details = h(
    "details",
    { class: "doubt", "data-place": doubt.place },
    h("summary", { "data-key": `doubt-${doubt.place}` }, h("strong", {}, doubt.text), ` ${doubt.where}`),
    h(
      "div",
      { class: "answers" },
      ...doubt.options.map((option, i) =>
        h(
          "button",
          { type: "button", class: i === 0 ? "primary" : null, disabled: !mayChange(), "data-key": `doubt-${doubt.place}-${i}`, onclick: () => settle(doubt.place, i) },
          i === 0 ? `Yes, ${option}` : `No, ${option}`,
        ),
      ),
    ),
  );
  details.open = open;
  return details;
}
