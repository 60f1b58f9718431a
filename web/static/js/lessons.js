// The choice of a lesson: each begins with a session of its own.

import { t } from "./lib/language.js";
import { Refusal, post } from "./lib/api.js";
import { byId } from "./lib/dom.js";

for (const button of document.querySelectorAll("[data-lesson]")) {
  button.addEventListener("click", async () => {
    try {
      location.assign((await post("/api/lessons", { kind: button.dataset.lesson })).at);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      byId("lessons-answer").textContent = t(error.message);
    }
  });
}
