// The part of the table's page for a lesson: what to do now, and the buttons to be shown it, to go on and to begin again.

import { mayChange, post } from "../lib/api.js";
import { byId, fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { showError, showRefusal } from "./bar.js";

let drawn = "";

/** @param {any} store */
export function showLesson(store) {
  const lesson = store.eyes?.lesson;
  const place = byId("lesson");
  place.hidden = !lesson;
  if (!lesson || drawn === JSON.stringify(lesson)) return;
  drawn = JSON.stringify(lesson);
  const button = (what, text) => h("button", { type: "button", class: "small", "data-key": `lesson-${what}`, onclick: () => send(store, what) }, text);
  fill(
    place,
    h("p", { class: "lesson-text" }, h("strong", {}, `${lesson.title}, step ${lesson.scene} of ${lesson.scenes}. `), lesson.text),
    h(
      "div",
      { class: "tools" },
      mayChange() && lesson.show && button("show", "Show it"),
      mayChange() && lesson.done && !lesson.over && button("next", "Next step"),
      mayChange() && button("again", "Begin this step again"),
      lesson.over && h("a", { class: "button small", href: "/setup" }, "Set up a game"),
      h("a", { class: "button small", href: "/lessons" }, "End the lesson"),
    ),
  );
  say(lesson.text);
}

async function send(store, what) {
  try {
    await post("/api/lesson", { do: what });
    showError("");
  } catch (error) {
    await showRefusal(store, error);
  }
}
