// Coming in: the one-time ticket stands behind the # of the link, where no server ever sees it.

import { t } from "./lib/language.js";
import { Refusal, post } from "./lib/api.js";
import { byId } from "./lib/dom.js";

async function join(body) {
  const answer = byId("join-answer");
  answer.className = "answer";
  answer.textContent = t("Asking.");
  try {
    await post("/api/door", body);
    location.replace("/");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answer.className = "answer bad";
    answer.textContent = t(error.message);
  }
}

const ticket = location.hash.slice(1);
if (ticket) {
  history.replaceState(null, "", location.pathname);
  join({ ticket });
}
byId("join")?.addEventListener("submit", (event) => {
  event.preventDefault();
  join({ pin: byId("pin").value });
});
