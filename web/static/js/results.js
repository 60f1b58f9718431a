// Earlier games: times as the clock on this device shows them; and the same players again, by one tap.

import { LANGUAGE, t } from "./lib/language.js";
import { Refusal, post } from "./lib/api.js";
import { byId } from "./lib/dom.js";
import { beginInstead } from "./parts/put-away.js";

for (const one of document.querySelectorAll("time[data-at]")) {
  const when = new Date(Number(one.dataset.at) * 1000);
  one.textContent = when.toLocaleString(LANGUAGE === "en" ? "en-GB" : LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
}

byId("again")?.addEventListener("click", async () => {
  const body = JSON.parse(byId("again").dataset.again);
  const begin = async (instead) => {
    await post("/api/games", instead ? { ...body, instead } : body);
    location.assign("/");
  };
  try {
    await beginInstead(begin, "/");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("again-answer").className = "answer bad";
    byId("again-answer").textContent = t(error.message);
  }
});
