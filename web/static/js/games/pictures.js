// Pieces by their codes, as an answer of /api/advice brings them once for all.

import { build, h } from "../lib/dom.js";
import { pieceButton } from "../parts/pieces.js";

/** Pictures of pieces by code. */
export class Pictures {
  /** @param {Record<string, {name: string, picture: any}>} pieces */
  constructor(pieces) {
    this.pieces = pieces;
  }

  /** @param {string} code */
  name(code) {
    return this.pieces[code]?.name ?? code;
  }

  /** @param {string[]} codes */
  names(codes) {
    return codes.map((code) => this.name(code)).join(" + ");
  }

  /** A picture that the text beside it names. @param {string} code */
  draw(code) {
    return build(this.pieces[code].picture);
  }

  /** @param {string[]} codes */
  row(codes) {
    return h("span", { class: "pictures", role: "img", "aria-label": this.names(codes) }, ...codes.map((code) => this.draw(code)));
  }

  /** A piece as a button. @param {string} code @param {() => void} act @param {Record<string, any>} props */
  button(code, act, props = {}) {
    return pieceButton({ code, ...this.pieces[code] }, act, props);
  }
}

/** Returns the rules' verdict on a move: allowed or not, and by which rule. */
export function verdictBox(found, ruleLine) {
  return h(
    "div",
    { class: `verdict ${found.legal ? "allowed" : "forbidden"}` },
    h("p", {}, h("span", { class: "verdict-word" }, found.legal ? "✓ Allowed. " : "✗ Not allowed. "), found.sentence),
    ...found.breaches.map(ruleLine),
    found.problem && h("p", {}, found.problem),
  );
}
