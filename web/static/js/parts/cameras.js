// The cameras of this machine with what they show now. They are opened only when somebody asks for them, and their
// pictures follow for as long as the page is looked at.

import { t } from "../lib/language.js";
import { Refusal, post } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";

const AGAIN_MS = 1500;
let timer = 0;

let chosen = (_name) => {};
/** The choice that the server has not answered yet, if there is one. */
let asked = null;
let answered = Promise.resolve(true);

/** Resolves when every choice of a camera has its answer, those too that are made meanwhile: whether the last one holds. */
export async function cameraAnswered() {
  let holds = await answered;
  while (asked !== null) holds = await answered;
  return holds;
}

/** Whether an answer about a camera is still on its way. */
export const cameraAsked = () => asked !== null;

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
  const none = { name: "", picture: null, text: "Moves are told by hand or on phones.", watched: !cameras.some((camera) => camera.watched) };
  fill(place, ...[none, ...cameras].map((camera) => card(place, camera)));
}

function card(place, camera) {
  const title = camera.name === "" ? "No camera" : `Camera ${camera.name}`;
  return h(
    "label",
    { class: "pick" },
    h("input", { type: "radio", name: "camera", value: camera.name, checked: asked === null ? camera.watched : camera.name === asked.name, "data-key": `camera-${camera.name}`, onchange: () => use(place, camera.name) }),
    h(
      "span",
      { class: "game-card" },
      camera.picture && h("img", { src: camera.picture, alt: `What camera ${camera.name} shows now`, width: 160 }),
      h("span", { class: "pick-text" }, title),
      h("span", { class: "soft" }, camera.text),
    ),
  );
}

/** Choices are told one after the other, so that the last one holds. */
function use(place, name) {
  const own = (asked = { name });
  answered = answered
    .then(() => tell(name))
    .catch((error) => {
      reportError(error);
      return false;
    })
    .finally(() => {
      if (asked === own) asked = null;
      look(place);
    });
}

/** Let a camera, or none (""), watch from now on. */
async function tell(name) {
  try {
    await post("/api/cameras", { camera: name });
    byId("cameras-answer").textContent = t(name === "" ? "No camera watches the table." : `Camera ${name} watches the table.`);
    byId("cameras-answer").className = "answer";
    chosen(name);
    return true;
  } catch (error) {
    say(error);
    return false;
  }
}

function say(error) {
  if (!(error instanceof Refusal)) throw error;
  byId("cameras-answer").className = "answer bad";
  byId("cameras-answer").textContent = t(error.message);
}
