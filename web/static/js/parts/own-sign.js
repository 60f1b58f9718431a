// The sign of a person: chosen once, from shapes and colors, and shown in every game wherever the person is named.

import { t } from "../lib/language.js";
import { Refusal, get, post } from "../lib/api.js";
import { dialog, fill, h, sign } from "../lib/dom.js";

/** The names of the page's colors for signs, in their order. */
const COLORS = ["blue", "vermilion", "green", "pink", "orange", "sky blue", "olive", "violet", "gray", "black"];

/** Let a person choose a sign. @param {string} name */
export async function chooseSign(name) {
  const { shapes, now, taken } = await get("/api/people/signs", { name });
  const wanted = { shape: now.shape, color: now.color };
  const pathOf = (shape) => shapes.find((one) => one.shape === shape).path;
  const picture = h("span", { class: "own-sign", "aria-hidden": "true" });
  const answer = h("p", { class: "answer", role: "status" });
  const keep = h("button", { type: "button", class: "primary", "data-key": "keep-sign" }, "Keep this sign");
  const show = () => {
    picture.replaceChildren(sign({ path: pathOf(wanted.shape), color: wanted.color }));
    const owner = taken.find((one) => one.shape === wanted.shape && one.color === wanted.color);
    keep.toggleAttribute("disabled", Boolean(owner));
    answer.className = "answer";
    answer.textContent = owner ? t(`${owner.name} has this sign. Choose another shape or color.`) : "";
    const picks = (title, key, ones) =>
      h("fieldset", {}, h("legend", {}, title), h("div", { class: "sign-picks" }, ...ones.map(([value, path, color, label]) =>
        h("button", { type: "button", class: "sign-pick", "data-key": `${key}-${value}`, "aria-pressed": String(wanted[key] === value), onclick: () => { wanted[key] = value; show(); } }, sign({ path, color }), h("span", {}, label)))));
    fill(
      choices,
      picks("Shape", "shape", shapes.map(({ shape, path }) => [shape, path, wanted.color, shape])),
      picks("Color", "color", COLORS.map((label, color) => [color, pathOf(wanted.shape), color, label])),
    );
  };
  const choices = h("div", {});
  keep.addEventListener("click", async () => {
    try {
      await post("/api/people/signs", { name, ...wanted });
      box.close();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer.className = "answer bad";
      answer.textContent = t(error.message);
    }
  });
  const box = dialog(
    `The sign of ${name}`,
    h("p", {}, "Your sign stands beside your name, in charts and on your pieces, in every game."),
    picture,
    choices,
    answer,
    h("div", { class: "dialog-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"), keep),
  );
  show();
}
