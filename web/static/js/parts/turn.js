// Whose turn it is, and what can be done besides moving on the board: drawing, passing, taking back.

import { t } from "../lib/language.js";
import { get, isHost, mayChange, post } from "../lib/api.js";
import { byId, dialog, fill, h, sign } from "../lib/dom.js";
import { ruleLine } from "./alert.js";
import { showError, showRefusal } from "./bar.js";
import { clockButton } from "./clock.js";
import { hintButton } from "./hint.js";
import { invite } from "./phones.js";
import { pieceButton } from "./pieces.js";
import { seatButton } from "./seat.js";
import { showTower } from "./tower.js";

/** What goes on after a game by its name; others play in rounds. */
const NEXT = { poker: "Play the next hand", cribbage: "Rematch" };

/** The purpose of one's own turn, before the hint. */
const DUE = { move: "", draw: "Draw: ", roll: "Roll: " };

/**
 * @param {any} store
 * @param {(command: any) => Promise<boolean>} tell
 * @param {((seat?: number|null) => Promise<boolean>)|null} chance  lets the program draw; null where it does not
 * @param {boolean} [draws]  true if draws are entered in a dialog of this strip
 */
export function showTurn(store, tell, chance, draws = true) {
  const { turn, seats, outcome, secrecy } = store.data;
  const mine = turn.seats.includes(secrecy.me);
  const mover = mine ? seats[secrecy.me] : turn.seats.length === 1 ? seats[turn.seats[0]] : null;
  const words = outcome ? outcome.sentence : mine ? `Your turn, ${mover.name}` : turn.text;
  const hint = mine ? `${DUE[turn.kind]}${turn.hint}` : turn.hint;
  fill(
    byId("turn"),
    h("p", { class: "turn-text" }, mover && sign(mover.sign), h("span", {}, words)),
    h("p", { class: "turn-hint" }, outcome ? `${outcome.text} ` : hint, outcome && h("a", { href: outcome.link }, outcome.rule)),
  );
  showTower(turn);
  // While something is open, its answer is the one thing to do.
  const open = Boolean(store.data.alert) && store.data.alert.kind !== "pending";
  const actions = [];
  if (mayChange()) {
    if (turn.draw && draws) {
      actions.push(h("button", { type: "button", class: open ? "small" : "primary", "data-key": "draw", onclick: () => tellDraw(store, tell, chance) }, "Enter the draw"));
      if (chance && turn.draw.seats.length === 1) actions.push(h("button", { type: "button", "data-key": "draw-for-me", onclick: () => chance(turn.draw.seats[0]) }, "Draw for me"));
    }
    if (turn.kind === "roll" && chance && !open) actions.push(h("button", { type: "button", class: "primary", "data-key": "roll-for-me", onclick: () => chance() }, "Roll for me"));
    for (const other of turn.others ?? []) {
      if (other.piece) continue;
      actions.push(h("button", { type: "button", "data-key": `other-${other.text}`, onclick: () => (other.reminders.length ? remind(other, tell) : tell({ text: other.text })) }, other.offer));
    }
  }
  if (!mayChange()) actions.push(h("a", { class: open ? "button small" : "button primary", "data-key": "join", href: "/join" }, "Join this table"));
  if (!outcome) actions.push(seatButton(store, open));
  if (outcome?.next && mayChange()) actions.push(h("button", { type: "button", class: "primary", "data-key": "next-hand", onclick: () => begin(store, "/api/games/next") }, NEXT[store.data.game.name] ?? "Play the next round"));
  if (outcome && !outcome.next && mayChange()) actions.push(h("button", { type: "button", class: "primary", "data-key": "rematch", onclick: () => begin(store, "/api/games/again") }, "Rematch"));
  if (outcome && mayChange()) actions.push(h("a", { class: "button", "data-key": "another-game", href: "/setup" }, "Another game"));
  if (outcome) actions.push(h("a", { class: "button small", "data-key": "result", href: `/results/${store.data.game.id}` }, "Result"));
  if (!outcome && mayChange() && turn.kind === "move") actions.push(hintButton(store, tell));
  if (!outcome) actions.push(clockButton(store));
  if (isHost() && !outcome) actions.push(h("button", { type: "button", class: "small", "data-key": "invite", onclick: () => invite() }, "Invite a phone"));
  fill(byId("strip-actions"), ...actions);
}

/** The next game of the match, or the same game once more, with the same players. */
async function begin(store, path) {
  try {
    await post(path);
    showError("");
  } catch (error) {
    await showRefusal(store, error);
  }
}

/** Shows a reminder of what should be done first; no rule depends on it. */
function remind(other, tell) {
  const go = () => {
    box.close();
    tell({ text: other.text });
  };
  const box = dialog(
    `${other.offer}?`,
    ...other.reminders.map(ruleLine),
    h(
      "div",
      { class: "dialog-end" },
      h("button", { type: "button", class: "primary", onclick: () => box.close() }, "Go back"),
      h("button", { type: "button", "data-key": "all-the-same", onclick: go }, `${other.offer} anyway`),
    ),
  );
}

/** Ask which pieces came out of the bag, and where several seats may draw, who did. */
async function tellDraw(store, tell, chance) {
  const { turn, seats } = store.data;
  const { draw } = turn;
  const who =
    draw.seats.length > 1 &&
    h("select", { id: "who-draws" }, ...draw.seats.map((one) => h("option", { value: String(one) }, seats[one].name)));
  const { pieces } = await get("/api/table/pieces", { unseen: 1 });
  const chosen = [];
  const status = h("p", { role: "status" });
  const done = h("button", { type: "button", class: "primary" }, "Enter");
  const unseen = h("button", { type: "button" }, draw.count === 1 ? "It was not shown" : "The rest was not shown");
  const list = h("ul", { class: "pieces many" });
  const show = () => {
    status.textContent = t(`${chosen.length} of ${draw.count} chosen${chosen.length ? `: ${chosen.map((piece) => piece.code).join(", ")}` : ""}.`);
    done.toggleAttribute("disabled", chosen.length !== draw.count);
    for (const button of list.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(chosen.some((piece) => piece.code === button.dataset.code)));
    }
  };
  for (const piece of pieces) {
    const button = pieceButton(piece, () => {
      const at = chosen.findIndex((one) => one.code === piece.code);
      if (at >= 0) chosen.splice(at, 1);
      else {
        if (chosen.length === draw.count) chosen.shift();
        chosen.push(piece);
      }
      show();
    });
    list.append(h("li", {}, button));
  }
  const box = dialog(
    turn.kind === "draw" ? `${turn.text}: ${draw.count === 1 ? "which piece" : `which ${draw.count} pieces`}?` : "Which piece was drawn?",
    who && h("label", { for: "who-draws" }, "Who drew it", who),
    status,
    list,
    h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"), chance && h("button", { type: "button", "data-key": "draw-for-me", onclick: () => { box.close(); chance(who ? Number(who.value) : draw.seats[0]); } }, "Draw for me"), draw.hidden && unseen, done),
  );
  const send = async (drawn) => {
    box.close();
    await tell({ event: { type: "drawn", seat: who ? Number(who.value) : draw.seats[0], pieces: drawn } });
  };
  done.addEventListener("click", () => send(chosen.map((piece) => piece.json)));
  unseen.addEventListener("click", () => {
    const drawn = chosen.map((piece) => piece.json);
    while (drawn.length < draw.count) drawn.push(null);
    send(drawn);
  });
  show();
}
