// Cards named in text: each code becomes a small chip with its color at the edge and its letters and number inside.

import { h } from "../lib/dom.js";
import { t } from "../lib/language.js";

const CODE = /\b(RO|OY|YG|GB|BP|PR|R|O|Y|G|B|P)(1[0-2]|[1-9])\b/;

/** The class of a card's colors, to go behind others. @param {string} code */
export function colorClass(code) {
  const found = CODE.exec(code);
  return found ? ` c-${found[1]}` : "";
}

/** @param {string} code */
export function chip(code) {
  return h("span", { class: `code-chip${colorClass(code)}` }, code);
}

/** Text with its codes as chips. @param {string} text */
export function chipped(text) {
  const parts = [];
  let rest = t(text);
  for (let found = CODE.exec(rest); found; found = CODE.exec(rest)) {
    if (found.index) parts.push(document.createTextNode(rest.slice(0, found.index)));
    parts.push(chip(found[0]));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) parts.push(document.createTextNode(rest));
  return h("span", { class: "chipped" }, ...parts);
}
