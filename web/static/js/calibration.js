// Setting a table up in three steps: the markers are seen, the empty table is remembered, one piece of each color is set out.

import { Refusal, get, mayChange, post } from "./lib/api.js";
import { build, byId, fill, h } from "./lib/dom.js";
import { say } from "./lib/say.js";
import { Store, showState } from "./lib/store.js";
import { Picture } from "./parts/picture.js";

const LOOK_MS = 1000;
const KINDS = { pyramids: "pyramid", dice: "die", cards: "card" };
const STEPS = ["markers", "empty", "colors"];

const store = new Store();
showState(store, byId("state"));
new Picture(byId("picture"), store);

/** The newest answer of the server. */
let now = /** @type {any} */ (null);
/** Names of the colors that are left out of the row. */
const left = new Set();
/** The step that is being taken, while the server looks at the table. */
let busy = /** @type {string|null} */ (null);
/** The fault that each step found when it was last taken. */
const faults = /** @type {Record<string, {text: string, standing: boolean}>} */ ({});
let timer = 0;

const chosen = () => now.colors.filter((color) => !left.has(color.name));
const drawn = () => ({ colors: chosen().map((color) => color.name).join(",") });

/** Look at how things are, again and again while the set-up is open. */
async function look() {
  clearTimeout(timer);
  try {
    if (!busy && !document.hidden) {
      const found = await get("/api/calibration", now ? drawn() : {});
      if (!busy) {
        now = found;
        show();
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  if (now?.open) timer = setTimeout(look, LOOK_MS);
}

/** Take a step; what is wrong with it is said in its own place. */
async function take(step, path, body = {}, done = "") {
  busy = step;
  delete faults[step];
  show();
  try {
    now = await post(`/api/calibration/${path}`, body);
    if (done) say(done);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults[step] = { text: error.message, standing: error.status === 409 };
    say(error.message);
  }
  busy = null;
  show();
  look();
  return !faults[step];
}

async function end() {
  if (await take("begin", "close")) location.assign(store.data?.game ? "/" : "/setup");
}

const button = (key, text, onclick, kind = "") => h("button", { type: "button", class: kind || null, "data-key": key, disabled: Boolean(busy), onclick }, text);
const onwards = () => (store.data?.game ? "Go on with the game" : "Choose a game");
const fault = (step) => faults[step] && h("p", { class: "answer bad", role: "alert" }, faults[step].text);

function show() {
  byId("way").setAttribute("aria-busy", "false");
  showBegin();
  STEPS.forEach((name, i) => showStep(name, i));
  showForecast();
  showTaught();
}

function showBegin() {
  const game = store.data?.game;
  const wait = game ? "The game waits meanwhile and goes on afterwards." : "";
  fill(
    byId("begin"),
    h("p", { class: "soft" }, now.why),
    now.open && h("p", {}, `The set-up is going on. ${wait}`),
    !now.open && now.useful && h("p", { class: "soft" }, wait || "Then the game begins."),
    fault("begin"),
    mayChange() &&
      h(
        "div",
        { class: "tools" },
        !now.open && now.useful && button("open", now.known === "no" ? "Begin the set-up" : "Set the table up again", () => take("begin", "open", {}, "The set-up has begun."), "primary"),
        now.open && button("close", onwards(), end, now.steps[1].done ? "primary" : ""),
      ),
    !mayChange() && h("p", { class: "soft" }, "Only players at the table can set it up."),
  );
}

function showStep(name, i) {
  const part = byId(`step-${name}`);
  const step = now.steps[i];
  part.hidden = !now.useful || (name === "colors" && !now.colors.length);
  part.classList.toggle("done", step.done);
  const picture = part.querySelector(".step-picture");
  const key = JSON.stringify(now.pictures[i]);
  if (picture.dataset.drawn !== key) {
    picture.dataset.drawn = key;
    picture.replaceChildren(build(now.pictures[i]));
  }
  const text = part.querySelector(".step-text");
  const written = JSON.stringify([now.open, step, busy, faults[name], now.remembered_s, [...left], Boolean(store.data?.game)]);
  if (text.dataset.written === written) return;
  text.dataset.written = written;
  const mark = h("span", { class: step.done ? "mark-ok" : "mark-no", "aria-hidden": "true" }, step.done ? "✓ " : "○ ");
  const said = step.text && h("p", { class: "step-said" }, mark, h("span", { class: "hidden" }, step.done ? "Done: " : "To do: "), step.text);
  fill(text, said, busy === name && h("p", { class: "soft", role: "status" }, "Looking at the table."), fault(name), ...(now.open && mayChange() ? ACTIONS[name](step) : []));
}

const ACTIONS = {
  markers: (step) => [!step.done && h("p", {}, h("a", { href: "/camera" }, "Set the corners by hand"), " where markers cannot be seen.")],
  empty: () => [
    now.remembered_s && h("p", { class: "soft" }, `Remembered ${new Date(now.remembered_s * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}.`),
    h("div", { class: "tools" }, button("remember", now.steps[1].done ? "Remember it again" : "Remember the empty table", () => remember(null), now.steps[1].done ? "" : "primary")),
    faults.empty?.standing &&
      h(
        "div",
        { class: "tools spaced", role: "group", "aria-label": "What stands on the table" },
        button("bare", "Nothing stands there", () => remember("none")),
        store.data?.game && button("around", "They belong to the game: remember what is free", () => remember("game")),
      ),
  ],
  colors: () =>
    now.steps[1].done
      ? [
          h(
            "p",
            { class: "soft" },
            now.row_of === "cards"
              ? "Cards face up from left to right and row by row as in the picture, and nothing else on the table. Any number will do where a color is shown, and any color where a number is. Untick what you lay out later."
              : now.row_of === "dice"
              ? "Dice from left to right and row by row as in the picture, the color up, and nothing else in the tray. Untick what you do not lay out."
              : "Large pieces in one row from left to right, and nothing else on the table. Untick what you do not have.",
          ),
          h(
            "div",
            { class: "row-colors", role: "group", "aria-label": "Colors of the row, from left to right" },
            ...now.colors.map((color) =>
              h(
                "label",
                { class: "pick" },
                h("input", { type: "checkbox", checked: !left.has(color.name), "data-key": `color-${color.name}`, onchange: () => leave(color.name) }),
                build(color.picture),
                h("span", {}, left.has(color.name) ? "" : `${chosen().indexOf(color) + 1}. `, color.name),
              ),
            ),
          ),
          h(
            "div",
            { class: "tools spaced" },
            button("set-out", now.row_of === "cards" ? "They lie as shown: learn the deck" : now.row_of === "dice" ? "They lie as shown: learn the colors" : "They stand in the row: learn the colors", setOut, now.steps[2].done ? "" : "primary"),
            now.steps[2].done ? button("finish", onwards(), end, "primary") : button("skip", "Leave this step out", end, "quiet"),
          ),
        ]
      : [],
};

const remember = (standing) => take("empty", "empty", { standing }, "The table is remembered.");
const setOut = () => take("colors", "colors", { row: chosen().map((color) => ({ color: color.name, kind: KINDS[now.row_of] })) }, now.row_of === "cards" ? "The cards are known." : "The colors are known.");

function leave(name) {
  if (!left.delete(name)) left.add(name);
  if (chosen().length < 2) left.delete(name);
  delete faults.colors;
  show();
  look();
}

function showTaught() {
  byId("taught").hidden = !now.useful || !(now.open || now.keeps_taught);
  fill(
    byId("taught-words"),
    h(
      "p",
      { class: "soft" },
      now.keeps_taught
        ? "Corrections and confirmed moves teach how these pieces look, and this is kept for the next evening, on this computer alone."
        : "Corrections and confirmed moves teach how these pieces look, for this evening. Nothing of it is kept.",
    ),
    mayChange() &&
      h(
        "div",
        { class: "tools" },
        now.keeps_taught
          ? button("untaught", "Forget what was taught", () => take("taught", "taught", { keep: false }, "It is forgotten."), "quiet small")
          : button("taught", "Keep it for the next evening", () => take("taught", "taught", { keep: true }, "It is kept from now on."), "small"),
      ),
    fault("taught"),
  );
}

function showForecast() {
  byId("forecast").hidden = !now.words.length;
  fill(
    byId("forecast-words"),
    h("ul", { class: "plain-list" }, ...now.words.map((words) => h("li", {}, words))),
    now.camera && h("div", { class: "camera-view" }, build(now.camera)),
    mayChange() && now.known !== "no" && h("div", { class: "tools spaced" }, button("forget", "Forget this table", () => take("begin", "forget", {}, "The table is forgotten."), "quiet small")),
  );
}

let open = false;
store.on("data", () => now && show());
store.on("eyes", (eyes) => {
  if (eyes.setup.open !== open) look();
  open = eyes.setup.open;
});
document.addEventListener("visibilitychange", () => !document.hidden && look());
await store.start();
open = store.eyes?.setup.open ?? false;
await look();
