// The cameras of this machine with what they show now. They are opened only when somebody asks for them, and their
// pictures follow for as long as the page is looked at.

import { t } from "../lib/language.js";
import { Refusal, post } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";

const AGAIN_MS = 1500;
let timer = 0;

let chosen = (_name) => {};
/** The camera that was chosen last, while the server has not answered; the answer is its reason against it, or "".
 * @type {{name: string, answer: Promise<string>}|null} */
let asked = null;

/** Returns the server's answer about the last chosen camera: why it cannot watch, or "". Null: no answer is waited for. */
export const cameraAnswer = () => asked && last();

async function last() {
  let reason = "";
  while (asked !== null) reason = await asked.answer;
  return reason;
}

/**
 * @param {HTMLElement} place a group of radio buttons
 * @param {(name: string) => void} told what happens when a camera, or none (""), watches the table from now on
 */
export function showCameras(place, told) {
  chosen = told;
  byId("find-cameras").addEventListener("click", () => look(place));
}

async function look(place) {
  window.clearTimeout(timer);
  try {
    const { cameras } = await post("/api/cameras/look");
    show(place, cameras);
    if (cameras.length) timer = window.setTimeout(() => (document.hidden ? waitForEyes(place) : look(place)), AGAIN_MS);
  } catch (error) {
    say(error);
  }
}

/** The page is in the background: the cameras may rest until it is seen again. */
function waitForEyes(place) {
  document.addEventListener("visibilitychange", () => look(place), { once: true });
}

function show(place, cameras) {
  if (cameras.length === 0) {
    fill(place, h("p", { class: "soft whole-row" }, "No camera is plugged in. Plug one in and press Find cameras again, or play without one."));
    return;
  }
  const none = { name: "", picture: null, text: "You enter moves on this page or on phones.", watched: !cameras.some((camera) => camera.watched) };
  fill(place, ...[none, ...cameras].map((camera) => card(place, camera)));
}

function card(place, camera) {
  const title = camera.name === "" ? "No camera" : `Camera ${camera.label}`;
  return h(
    "label",
    { class: "pick" },
    h("input", { type: "radio", name: "camera", value: camera.name, checked: asked === null ? camera.watched : camera.name === asked.name, "data-key": `camera-${camera.name}`, onchange: () => use(place, camera.name) }),
    h(
      "span",
      { class: "game-card" },
      camera.picture && h("img", { src: camera.picture, alt: `What camera ${camera.label} shows now`, width: 160 }),
      h("span", { class: "pick-text" }, title),
      h("span", { class: "soft" }, camera.text),
    ),
  );
}

/** Choose a camera, once the choice before is answered: the last one holds, whichever takes longer to open. */
async function use(place, name) {
  const own = { name, answer: (asked?.answer ?? Promise.resolve()).then(() => ask(name)) };
  asked = own;
  try {
    await own.answer;
  } finally {
    if (asked === own) asked = null;
    look(place);
  }
}

/** Let a camera, or none (""), watch from now on; resolves to the reason of a refusal, or "". */
async function ask(name) {
  try {
    await post("/api/cameras", { camera: name });
    byId("cameras-answer").textContent = t(name === "" ? "No camera watches the table." : `Camera ${name} watches the table.`);
    byId("cameras-answer").className = "answer";
    chosen(name);
    return "";
  } catch (error) {
    say(error);
    return error.message;
  }
}

function say(error) {
  if (!(error instanceof Refusal)) throw error;
  byId("cameras-answer").className = "answer bad";
  byId("cameras-answer").textContent = t(error.message);
}
