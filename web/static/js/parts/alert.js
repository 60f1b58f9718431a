// The open question, always in the same place: what was seen, which rule, what to do, and the answers.

import { mayChange } from "../lib/api.js";
import { build, byId, fill, h } from "../lib/dom.js";
import { saysAsMuch } from "../lib/language.js";
import { alarm, say } from "../lib/say.js";
import { agreementList, asSeen, corrections, turnChoice } from "./agreement.js";
import { closeUp } from "./close-up.js";

const ICON = {
  refused: "M12 2 1.5 21h21zm0 6v7m0 2.5v1",
  other: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-2.6 7.4a2.7 2.7 0 1 1 3.8 2.5c-.8.4-1.2.9-1.2 1.9m0 2.8v1",
};

function icon(kind) {
  const d = kind === "refused" ? ICON.refused : ICON.other;
  return build(["svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, [["path", { d, fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" }, []]]]);
}

/** A broken rule: its number as a link to the text, and the sentence. */
export function ruleLine(breach) {
  return h("p", { class: "rule-line" }, h("a", { href: breach.link ?? `#${breach.rule}` }, breach.rule), ": ", breach.text);
}

let told = 0;

/**
 * @param {any} store
 * @param {Record<string, (arg?: any) => void>} act what the answers do
 */
export function showAlert(store, act) {
  const place = byId("alert");
  const alert = store.data.alert;
  if (!alert) {
    const trouble = store.eyes?.trouble;
    place.className = "alert";
    place.hidden = !trouble;
    place.removeAttribute("data-number");
    fill(place, trouble && h("p", {}, trouble));
    return;
  }
  const drawn = store.data.choices ?? [];
  place.hidden = false;
  place.className = `alert ${alert.kind}`;
  place.dataset.number = alert.number;
  const body = h(
    "div",
    {},
    h("h2", {}, icon(alert.kind), alert.title),
    h("p", { class: "alert-seen" }, alert.text),
    ...alert.breaches.map(ruleLine),
    alert.do && h("p", { class: "alert-do" }, alert.do),
    store.data.agreement ? agreementList(store.data, () => showAlert(store, act)) : alert.differences.length > 0 && differences(alert),
    alert.choices.length > 0 && choices(alert, drawn, act),
  );
  const picture = alert.kind === "refused" && drawn.length > 0 ? h("div", { class: "alert-picture" }, build(drawn[0])) : null;
  fill(place, h("div", { class: picture ? "alert-body with-picture" : "alert-body" }, body, picture, mayChange() && (alert.kind === "out-of-step" ? agreeing(alert, store.data.agreement, act, () => showAlert(store, act)) : answers(alert, act))));
  closeUp([...place.querySelectorAll(".choice > svg.board")]);
  if (told !== alert.number) {
    told = alert.number;
    const rules = alert.breaches.map((breach) => `Rule ${breach.rule}: ${breach.text}`).join(" ");
    const tell = alert.kind === "pending" ? say : alarm;
    tell([alert.title.endsWith("?") ? alert.title : `${alert.title}.`, alert.text, rules, alert.do].filter(Boolean).join(" "));
  }
}

function differences(alert) {
  return h(
    "ul",
    { class: "differences" },
    ...alert.differences.map((one) => h("li", {}, h("span", {}, h("strong", {}, one.name), `: the record has ${one.expected}, the camera sees ${one.seen}.`))),
  );
}

function choices(alert, drawn, act) {
  return h(
    "div",
    { class: "choices-row" },
    ...alert.choices.map((choice, i) =>
      h(
        "button",
        { type: "button", class: "choice", "data-key": `choice-${i}`, disabled: !mayChange(), onclick: () => act.choose(i) },
        h("span", { class: "choice-number" }, `${i + 1}. ${choice.sentence}`),
        !saysAsMuch(choice.sentence, choice.text) && h("code", {}, choice.text),
        choice.breaches.length > 0 && h("span", { class: "against" }, `Against ${choice.breaches.map((breach) => breach.rule).join(", ")}`),
        drawn[i] && build(drawn[i]),
      ),
    ),
  );
}

const ANSWERS = {
  "put-back": ["It was put back", "primary", (act) => act.putBack()],
  misread: ["It was misread", "", (act) => act.misread()],
  agree: ["The table agrees to it", "", (act) => act.agree()],
  undo: ["Undo these moves", "primary", (act, alert) => act.undo(alert.to)],
};

function answers(alert, act) {
  const buttons = alert.answers
    .filter((name) => name in ANSWERS)
    .map((name) => {
      const [text, kind, does] = ANSWERS[name];
      const said = name === "misread" && alert.kind === "unclear" ? "None of these: it was misread" : text;
      return h("button", { type: "button", class: kind || null, "data-key": `answer-${name}`, onclick: () => does(act, alert) }, said);
    });
  return h("div", { class: "answers" }, ...buttons);
}

/** The ways in which table and record come to agree: from what is seen, as it was corrected, or as recorded. */
function agreeing(alert, agreement, act, redraw) {
  const corrected = agreement ? corrections(agreement) : 0;
  const from = agreement?.begun ? "Go on from what is seen" : "Begin from what is seen";
  const text = corrected === 0 ? from : agreement?.begun ? "Go on as corrected" : "Begin as corrected";
  return h(
    "div",
    { class: "answers" },
    agreement?.settable && turnChoice(agreement, redraw),
    agreement?.settable && alert.answers.includes("as-seen") && h("button", { type: "button", class: "primary", "data-key": "answer-as-seen", onclick: () => act.asSeen(asSeen(agreement)) }, text),
    h("button", { type: "button", "data-key": "answer-misread", "aria-describedby": "as-recorded", onclick: () => act.misread() }, "It should be as recorded"),
    h("p", { id: "as-recorded", class: "soft" }, "As recorded: what reads otherwise now says nothing until it is moved."),
  );
}
