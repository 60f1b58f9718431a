// Hands: the tiles of the seat to move can be tapped, the others only looked at.

import { get, mayChange } from "../lib/api.js";
import { byId, dialog, fill, h, sign } from "../lib/dom.js";
import { pieceButton, pieceStill } from "./pieces.js";

/**
 * @param {any} store
 * @param {string|null} chosen code of the piece in question
 * @param {{choose: (code: string|null) => void, tell: (command: any) => Promise<boolean>}} act
 */
export function showHands(store, chosen, act) {
  const { seats, turn } = store.data;
  const moving = turn.kind === "move" ? turn.seats : [];
  const order = [...seats.filter((seat) => moving.includes(seat.seat)), ...seats.filter((seat) => !moving.includes(seat.seat))];
  fill(byId("hands"), ...order.filter((seat) => seat.hand).map((seat) => hand(seat, moving.includes(seat.seat), chosen, turn, act)));
}

function hand(seat, moves, chosen, turn, act) {
  const pieces = seat.hand.pieces.map((piece) => {
    if (!moves) return h("li", {}, pieceStill(piece));
    const button = pieceButton(piece, () => act.choose(chosen === piece.code ? null : piece.code), { "data-key": `piece-${piece.code}` });
    button.setAttribute("aria-pressed", String(chosen === piece.code));
    if (turn.playable) button.classList.add(turn.playable.includes(piece.code) ? "playable" : "unplayable");
    return h("li", {}, button);
  });
  const unseen = seat.hand.unseen;
  if (unseen) pieces.push(h("li", {}, h("span", { class: "unseen" }, unseen === 1 ? "1 tile not shown" : `${unseen} tiles not shown`)));
  if (pieces.length === 0) pieces.push(h("li", {}, h("span", { class: "unseen" }, "empty")));
  const swaps = moves ? (turn.others ?? []).filter((other) => other.piece && other.piece === chosen) : [];
  return h(
    "div",
    { class: moves ? "hand" : "hand waiting" },
    h("div", { class: "hand-name" }, sign(seat.sign), h("span", { translate: "no" }, seat.name)),
    h("ul", { class: "pieces", "aria-label": `Hand of ${seat.name}` }, ...pieces),
    moves &&
      h(
        "div",
        { class: "tools" },
        unseen > 0 && h("button", { type: "button", class: "small", "data-key": "any-piece", onclick: () => anyPiece(act) }, chosen ? `Chosen: ${chosen}. Choose another` : "Choose a tile to look at"),
        ...(mayChange() ? swaps.map((other) => h("button", { type: "button", class: "small", onclick: () => act.tell({ text: other.text }) }, other.offer)) : []),
      ),
  );
}

/** A hand that was not shown: choose among all pieces that it may hold. */
async function anyPiece(act) {
  const { pieces } = await get("/api/table/pieces", { unseen: 1 });
  const list = h("ul", { class: "pieces many" });
  const box = dialog("Which tile?", list, h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel")));
  for (const piece of pieces) {
    list.append(
      h("li", {}, pieceButton(piece, () => {
        box.close();
        act.choose(piece.code);
      }, { "aria-pressed": null })),
    );
  }
}
