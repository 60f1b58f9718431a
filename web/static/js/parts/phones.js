// Phones: letting them in and closing the table to them, the PIN, and a link for one of them to scan. For the host alone.

import { t } from "../lib/language.js";
import { Refusal, get, post } from "../lib/api.js";
import { build, dialog, fill, h } from "../lib/dom.js";

let forms = 0;

/**
 * Show how phones come in, and what the host can do about it.
 * @param {HTMLElement} place what it is shown in, again after every change
 * @param {() => Promise<Node[]>} offer what leads a phone in, where one can reach the page
 * @param {() => Node[]} [after] what stands below
 */
export async function showPhones(place, offer, after = () => []) {
  const answer = () => /** @type {HTMLElement} */ (place.querySelector(".answer"));
  const show = async (now, said = "") => {
    const shown = now.by ? await opened(now, offer, change, draw) : await closed(now, offer, change, draw);
    fill(place, h("p", { class: "answer", role: "status", tabindex: -1 }, said), ...shown, ...after());
  };
  const say = (text, look) => {
    answer().className = look;
    answer().textContent = t(text);
  };
  /** Say the server's reason, and lead whoever cannot see it there. */
  const refused = (error) => {
    if (!(error instanceof Refusal)) throw error;
    say(error.message, "answer bad");
    answer().focus();
  };
  /** Put fresh digits in the place of those that a form holds. A refusal leaves what was typed. */
  const draw = async (input) => {
    try {
      input.value = (await get("/api/phones")).fresh;
      say("", "answer");
      input.focus();
    } catch (error) {
      refused(error);
    }
  };
  /** Show what is then, or leave what is shown: why the change was refused is said in either case. */
  const showWhatHolds = async () => {
    try {
      await show(await get("/api/phones"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
  /** Carry a change out and show what is then. A refusal leaves what was typed. */
  const change = async (path, body, said) => {
    try {
      await show(await post(path, body), said);
      answer().focus();
    } catch (error) {
      // A change that could not be saved may still hold until the server ends.
      if (error instanceof Refusal && error.status === 503) await showWhatHolds();
      refused(error);
    }
  };
  try {
    await show(await get("/api/phones"));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    fill(place, h("p", { class: "answer bad" }, error.message));
  }
}

/** Nobody but this machine reaches the page. */
async function closed(now, offer, change, draw) {
  if (!now.may_open) return [...(await offer()), h("p", { class: "note" }, "Only this machine can reach the page now. Start it with --lan to let phones in.")];
  return [
    h("p", {}, "Only this machine can reach the page now. Let phones in, and everybody on the local network can see this table until you close it again; whoever has the PIN can play."),
    pinForm("Let phones in", now.kept ?? now.fresh, true, draw, (pin) => change("/api/phones/open", { pin }, "Phones can come in now.")),
  ];
}

/** Phones are let in: where, by which PIN, and how that ends. */
async function opened(now, offer, change, draw) {
  const close = () => change("/api/phones/close", {}, "The table is closed to phones.");
  return [
    now.trouble && h("p", { class: "note" }, h("span", {}, "Phones do not reach this table now."), " ", h("span", {}, now.trouble)),
    ...(now.at ? await offer() : []),
    now.at && h("p", { class: "soft" }, now.pin ? "Without a link, a phone opens this page and enters the PIN:" : "The local network reaches this page here:"),
    now.at && h("p", {}, h("code", { class: "long", translate: "no" }, now.at)),
    now.pin && h("p", { class: "pin", translate: "no" }, now.pin),
    now.may_change_pin &&
      h(
        "details",
        {},
        h("summary", {}, "Another PIN"),
        h("p", { class: "soft" }, "The one before lets nobody in any more; phones that are in stay in."),
        pinForm("Use this PIN", now.fresh, false, draw, (pin) => change("/api/phones/pin", { pin }, "This PIN holds from now on.")),
      ),
    now.may_open
      ? h("p", {}, h("button", { type: "button", class: "small", "data-key": "close-phones", onclick: close }, "Close the table to phones"))
      : h("p", { class: "soft" }, "The command line has opened this page to phones, until it ends."),
  ];
}

/** Six digits to keep, to draw anew or to choose. */
function pinForm(title, pin, primary, draw, use) {
  const id = `own-pin-${++forms}`;
  const input = /** @type {HTMLInputElement} */ (h("input", { id, inputmode: "numeric", maxlength: 6, value: pin, "aria-describedby": `${id}-help` }));
  const send = (event) => {
    event.preventDefault();
    use(input.value);
  };
  return h(
    "form",
    { class: "own-pin", autocomplete: "off", novalidate: true, onsubmit: send },
    h("label", { for: id }, "PIN"),
    h("div", { class: "row-fields" }, input, h("button", { type: "button", "data-key": "draw-pin", onclick: () => draw(input) }, "Draw another"), h("button", { type: "submit", class: primary && "primary", "data-key": "use-pin" }, title)),
    h("p", { class: "soft", id: `${id}-help` }, "Six digits: keep these, draw others, or choose your own."),
  );
}

/** How often an open invitation asks who has joined. */
const LOOK_MS = 2000;

/** An invitation that renews itself while it is on the screen: a square to scan, and who has a phone already. */
async function link() {
  const place = h("div", { class: "invitation", "aria-live": "polite" });
  let shown = "";
  const look = async (known) => {
    const now = await post("/api/door/invite", known ? { known } : {});
    const state = JSON.stringify([now.link, now.left, now.joined, now.seats]);
    if (state !== shown) fill(place, ...invitation(now));
    shown = state;
    return now.known;
  };
  let known = await look(null);
  const again = async () => {
    if (!place.isConnected) return;
    try {
      if (!document.hidden) known = await look(known);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    setTimeout(again, LOOK_MS);
  };
  setTimeout(again, LOOK_MS);
  return [place];
}

function invitation(now) {
  const who = h("ul", { class: "seat-lines" }, ...now.seats.map((seat) => h("li", { class: "seat-line" }, h("span", { "aria-hidden": "true" }, seat.taken ? "✓" : "○"), h("span", { translate: "no" }, seat.name), h("span", { class: "soft" }, seat.taken ? "has a phone" : "no phone yet"))));
  const joined = now.joined > 0 && h("p", { role: "status" }, now.joined === 1 ? "1 phone has joined." : `${now.joined} phones have joined.`);
  if (!now.link) return [h("p", {}, "Everybody has a phone. Close this and invite again to let one more in."), joined, who];
  return [
    h("p", {}, now.left === 1 ? "Scan this with the phone's camera. It lets 1 phone in." : `Scan this with your phones' cameras. It lets ${now.left} phones in.`),
    build(now.square),
    h("p", {}, h("code", { class: "long", translate: "no" }, now.link)),
    joined,
    who,
  ];
}

/** Every phone must join again: one is lost, or somebody should not be in. */
async function sendAway(place) {
  let said = "All phones are sent away. Each comes in again by a fresh link or the PIN.";
  try {
    await post("/api/door/away");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    said = error.message;
  }
  fill(place, h("p", { role: "status" }, said));
}

/** Let phones in, or one more of them. @param {() => void} [then] what is done once it is closed */
export async function invite(then = () => {}) {
  const place = h("div", { class: "phones" }, h("p", { role: "status" }, "Loading."));
  const box = dialog("Invite a phone", place, h("div", { class: "dialog-end" }, h("button", { type: "button", onclick: () => box.close() }, "Close")));
  box.addEventListener("close", then);
  const away = () => [h("p", {}, h("button", { type: "button", class: "small quiet", "data-key": "away", onclick: () => sendAway(place) }, "Send all phones away"))];
  await showPhones(place, link, away);
}

/** The same on a page, where the link has a dialog of its own. @param {HTMLElement} place */
export function showPhonesCard(place) {
  const show = () => showPhones(place, async () => [h("p", {}, h("button", { type: "button", "data-key": "invite", onclick: () => invite(show) }, "Invite a phone"))]);
  return show();
}
