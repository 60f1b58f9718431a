// Tabs at the side of the board. Which one was open last is kept for this device.

import { byId } from "../lib/dom.js";

const KEY = "companion-tab";
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

const all = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.tab-list [role="tab"]')]);
const open = () => all().filter((tab) => !tab.hidden);

/** Make the tabs work. */
export function startTabs() {
  for (const tab of all()) {
    tab.addEventListener("click", () => {
      showTab(tab.id);
      localStorage.setItem(KEY, tab.id);
    });
    tab.addEventListener("keydown", (event) => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      const tabs = open();
      const next = tabs[(tabs.indexOf(tab) + STEPS[event.key] + tabs.length) % tabs.length];
      next.click();
      next.focus();
    });
  }
  const kept = byId(localStorage.getItem(KEY) ?? "");
  showTab(kept && open().includes(kept) ? kept.id : "tab-history");
}

/** @param {string} id */
export function showTab(id) {
  for (const tab of all()) {
    const on = tab.id === id;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !on;
  }
}

/** A tab with nothing behind it is not there. @param {string} id @param {boolean} there */
export function offerTab(id, there) {
  const tab = byId(id);
  if (tab.hidden === !there) return;
  tab.hidden = !there;
  if (!there && tab.getAttribute("aria-selected") === "true") showTab("tab-history");
}
