// All tables of one server: what is shown is asked for again every few seconds.

import { t } from "./lib/language.js";
import { Refusal, get, here } from "./lib/api.js";

const PAUSE_MS = 3000;

function show(table) {
  const card = document.querySelector(`[data-table="${table.name}"]`);
  const put = (part, text) => {
    const place = card?.querySelector(`[data-part="${part}"]`);
    if (place && place.textContent !== text) place.textContent = text;
  };
  put("trouble", table.trouble ? t(table.trouble) : "");
  if (!table.open) return;
  put("game", table.game ?? t("No game is on the table yet"));
  put("players", table.players.map((player) => `${player.name} ${player.total}`).join(" · "));
  put("turn", table.turn ? t(table.turn) : "");
  put("alert", table.alert ? t(table.alert) : "");
  const picture = card?.querySelector("[data-picture]");
  if (picture instanceof HTMLImageElement) picture.src = here(`${table.still}?at=${Date.now()}`);
}

/** True if the page has a card for each table, with a picture where there is one now. */
function sameTables(tables) {
  const cards = [...document.querySelectorAll("[data-table]")];
  return (
    cards.length === tables.length &&
    tables.every((table, place) => {
      const { dataset } = cards[place];
      return dataset.table === table.name && (dataset.open === "yes") === table.open;
    })
  );
}

async function refresh() {
  try {
    const { tables } = await get("/api/tables");
    if (!sameTables(tables)) return location.reload();
    for (const table of tables) show(table);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // the next time
  }
  setTimeout(refresh, PAUSE_MS);
}

setTimeout(refresh, PAUSE_MS);
