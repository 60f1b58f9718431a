// Sounds and speech for what happens at the table, and the dialog in which a device chooses what it lets people hear.

import { t } from "../lib/language.js";
import { byId, dialog, h } from "../lib/dom.js";
import { EVENTS, canSpeak, heard, setHeard, tellAloud } from "../lib/sound.js";

const VOICES = { sounds: "Sounds", speech: "Speech", silent: "Nothing" };

/** Let changes of the table be heard, each once. @param {any} store */
export function startHeard(store) {
  const button = byId("heard");
  button.hidden = false;
  button.addEventListener("click", choose);
  store.on("data", ({ before, data }) => {
    if (!before?.game || !data.game || before.game.id !== data.game.id) return;
    const { alert, outcome, turn } = data;
    if (alert && alert.number !== before.alert?.number && alert.kind !== "pending") {
      const rules = alert.breaches.map((breach) => breach.text).join(" ");
      tellAloud(alert.kind === "refused" ? "illegal" : "question", `${alert.title}. ${alert.text} ${rules}`);
    } else if (outcome && !before.outcome) tellAloud("end", `${outcome.sentence} ${outcome.text}`);
    else if (!outcome && !alert && turn.seats.length && turn.seats.join() !== before.turn.seats.join()) tellAloud("turn", turn.text);
  });
}

function choose() {
  const now = heard();
  const voices = Object.entries(VOICES).map(([value, words]) =>
    h("label", { class: "pick" }, h("input", { type: "radio", name: "voice", value, checked: value === now.voice, onchange: () => { setHeard({ voice: value }); tell(); } }), h("span", {}, words)),
  );
  const events = Object.entries(EVENTS).map(([name, words]) =>
    h("label", { class: "pick" }, h("input", { type: "checkbox", name, checked: now[name], onchange: (event) => setHeard({ [name]: event.target.checked }) }), h("span", {}, words)),
  );
  const said = h("p", { class: "soft", role: "status" });
  const tell = () => {
    said.textContent = t(heard().voice === "speech" && !canSpeak() ? "No voice is installed on this device, so sounds stand in for it." : "");
  };
  const box = dialog(
    "Sounds on this device",
    h("fieldset", {}, h("legend", {}, "How"), h("div", { class: "option-choices" }, ...voices)),
    said,
    h("fieldset", {}, h("legend", {}, "For what"), h("div", { class: "option-choices" }, ...events)),
    h("p", { class: "soft" }, "You always hear it when a camera sees nothing, unless you turn everything off."),
    h("div", { class: "dialog-end" }, h("button", { type: "button", class: "primary", onclick: () => box.close() }, "Done")),
  );
  tell();
}
