// Presses of a mouse: whenever news come, parts of the page are drawn anew, and browsers drop the click of an element that went
// between press and release. It goes to the element of the same key that stands under the pointer then.

/** Keep every press alive. */
export function keepPresses() {
  /** @type {Element|null} */ let pressed = null;
  const under = (event) => (event.target instanceof Element ? event.target.closest("[data-key]") : null);
  document.addEventListener("pointerdown", (event) => (pressed = event.button === 0 ? under(event) : null), true);
  document.addEventListener("pointercancel", () => (pressed = null), true);
  document.addEventListener(
    "pointerup",
    (event) => {
      const now = under(event);
      const gone = pressed && !pressed.isConnected && now?.getAttribute("data-key") === pressed.getAttribute("data-key");
      pressed = null;
      if (gone && event.pointerType === "mouse") /** @type {HTMLElement} */ (now).click();
    },
    true,
  );
}
