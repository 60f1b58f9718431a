// Elements of the page. Text is always set as text, so a player's name can hold anything; it is shown in the language of the page,
// except where `translate` is "no".

import { t } from "./language.js";

const SPOKEN = new Set(["aria-label", "placeholder", "title", "alt"]);

/**
 * @param {string} tag
 * @param {Record<string, any>} [props] attributes; `on…` adds a listener, `class` sets the class, false and null leave out
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : SPOKEN.has(name) ? t(String(value)) : String(value));
  }
  const kept = props.translate === "no";
  for (const child of children) if (child) element.append(typeof child === "string" && !kept ? t(child) : child);
  return element;
}

/** Replace what an element holds, and keep the focus on an element of the same `data-key`. */
export function fill(parent, ...children) {
  const replace = () => parent.replaceChildren(...children.filter(Boolean).map((child) => (typeof child === "string" ? t(child) : child)));
  keepFocus(parent, replace);
}

/** Make these the children of an element; those that stay are not touched. @param {Element} parent @param {Element[]} children */
export function arrange(parent, children) {
  const kept = new Set(children);
  keepFocus(parent, () => {
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
    let next = parent.firstElementChild;
    for (const child of children) {
      if (child === next) next = next.nextElementSibling;
      else parent.insertBefore(child, next);
    }
  });
}

function keepFocus(parent, change) {
  const held = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.closest("[data-key]")?.getAttribute("data-key");
  change();
  if (key && document.activeElement !== held) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  // The focused element is gone: keyboard users go on from the bar, not from the top of the page.
  if (held && !held.isConnected && document.activeElement === document.body) byId("turn")?.focus({ preventScroll: true });
}

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

/** An element of a scene: `[tag, {attribute: value}, [child, ...]]`, or text. */
export function build(tree) {
  if (typeof tree === "string") return document.createTextNode(t(tree));
  const [tag, attributes, children] = tree;
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, SPOKEN.has(name) ? t(attributes[name]) : attributes[name]);
  for (const child of children) element.append(build(child));
  return element;
}

/** Change an element of a scene into another one of the same tag, so that focus and listeners survive. */
export function patch(element, tree) {
  const [, attributes, children] = tree;
  for (const name of element.getAttributeNames()) {
    if (!(name in attributes) && name !== "xmlns") element.removeAttribute(name);
  }
  for (const name in attributes) {
    const value = SPOKEN.has(name) ? t(attributes[name]) : attributes[name];
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  const nodes = [...element.childNodes];
  children.forEach((child, i) => {
    const node = nodes[i];
    if (!node) element.append(build(child));
    else if (typeof child === "string") {
      if (node.nodeType !== Node.TEXT_NODE) node.replaceWith(child);
      else if (node.data !== t(child)) node.data = t(child);
    } else if (node.nodeType === Node.ELEMENT_NODE && node.tagName === child[0] && (node.id || "") === (child[1].id || "")) {
      patch(node, child);
    } else node.replaceWith(build(child));
  });
  for (const node of nodes.slice(children.length)) node.remove();
}

/** The sign of a person: its shape (a path around 0 0) and its color together. */
export function sign({ path, color }) {
  const drawn = ["path", { d: path, class: "sign-shape" }, []];
  return build(["svg", { class: `sign seat-${color}`, viewBox: "-1.3 -1.3 2.6 2.6", "aria-hidden": "true", focusable: "false" }, [drawn]]);
}

/** A dialog that closes itself by Escape and gives the focus back. */
export function dialog(title, ...children) {
  const box = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-labelledby": "dialog-title" }, h("h2", { id: "dialog-title" }, title), ...children));
  box.addEventListener("close", () => {
    box.remove();
    if (document.activeElement === document.body) byId("turn")?.focus({ preventScroll: true });
  });
  document.body.append(box);
  box.showModal();
  return box;
}
