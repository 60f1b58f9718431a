// The choice of the language, on every page; it is kept for this device.

import { choose } from "./lib/language.js";

document.getElementById("language")?.addEventListener("change", (event) => choose(/** @type {HTMLSelectElement} */ (event.target).value));
