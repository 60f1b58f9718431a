// The state of the dice in the tower, under the turn, for as long as a roll is due. Without a tower there is no line.

import { get } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";

const LOOK_MS = 2000;
let due = false;
let text = "";
let timer = 0;

/** @param {{kind: string}} turn */
export function showTower(turn) {
  due = turn.kind === "roll";
  if (!due) text = "";
  line();
  if (due && !timer) look();
}

function line() {
  byId("tower-line")?.remove();
  if (text) byId("turn").append(h("p", { class: "turn-hint", id: "tower-line", role: "status" }, text));
}

async function look() {
  const told = await get("/api/devices").catch(() => null);
  const tower = told?.devices.find((device) => device.name === "dice tower");
  const now = due && tower ? `Dice tower: ${tower.state === "ready" ? tower.last : tower.sentence}` : "";
  if (now !== text) {
    text = now;
    line();
  }
  timer = due && (tower || !told) ? setTimeout(look, LOOK_MS) : 0;
}
