// A game that is over: the same players again, by one tap.

import { t } from "./lib/language.js";
import { Refusal, post } from "./lib/api.js";
import { byId } from "./lib/dom.js";

byId("again")?.addEventListener("click", async () => {
  try {
    await post("/api/games", JSON.parse(byId("again").dataset.again));
    location.assign("/");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("again-answer").className = "answer bad";
    byId("again-answer").textContent = t(error.message);
  }
});
