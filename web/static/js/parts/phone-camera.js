// A phone as the camera of the table: a code to scan, the phone that is the camera, and its removal. For the host alone.

import { t } from "../lib/language.js";
import { Refusal, get, post } from "../lib/api.js";
import { build, dialog, fill, h } from "../lib/dom.js";

const AGAIN_MS = 1500;

/** One line on the phone that is the camera. */
function state(device) {
  if (device.age_s === null) return t("The phone is known and has sent no picture yet. Open its camera page.");
  if (device.age_s > 3) return t("The phone sends no pictures. Unlock it, and leave its camera page open.");
  return t("{n} pictures a second come from it.").replace("{n}", device.pictures_per_s.toFixed(1));
}

const LABEL = { "text-anchor": "middle", "font-size": "13", fill: "currentColor" };
/** The two taps that lead past the browser's warning, drawn as on a phone: the small word first, then the link below it. */
const WARNED = [
  "svg",
  { class: "warned", viewBox: "0 0 320 150", role: "img", "aria-label": "The browser's warning: first tap Advanced, then the link below it." },
  [
    ["g", { fill: "none", stroke: "currentColor", "stroke-width": "2" }, [
      ["rect", { x: "20", y: "5", width: "110", height: "140", rx: "12" }, []],
      ["rect", { x: "190", y: "5", width: "110", height: "140", rx: "12" }, []],
      ["path", { d: "M75 22 95 56H55Z M75 34V44 M75 49V50 M245 22 265 56H225Z M245 34V44 M245 49V50 M140 75H180 M172 68 180 75 172 82" }, []],
      ["rect", { x: "35", y: "92", width: "80", height: "26", rx: "8" }, []],
      ["path", { d: "M207 124H283" }, []],
    ]],
    ["text", { x: "75", y: "110", ...LABEL }, ["Advanced"]],
    ["text", { x: "245", y: "119", ...LABEL }, ["Proceed"]],
  ],
];

function warning(fingerprint) {
  return h(
    "details",
    {},
    h("summary", {}, "The browser warns about this page"),
    build(WARNED),
    h("p", {}, "It does so once, since no authority vouches for a computer at home. The picture goes from your phone to this computer and nowhere else."),
    h("ol", {}, h("li", {}, "Chrome and Firefox: choose Advanced, then Proceed or Accept the risk."), h("li", {}, "Safari: choose Show details, then visit this website.")),
    fingerprint && h("p", { class: "soft" }, "To be quite sure, compare the certificate's SHA-256 fingerprint:"),
    fingerprint && h("p", {}, h("code", { class: "long", translate: "no" }, fingerprint)),
  );
}

/** Lets a phone watch the table. @param {() => void} then what is done once the dialog is closed */
export async function usePhone(then) {
  const place = h("div", { class: "phones" }, h("p", { role: "status" }, "Loading."));
  const box = dialog("Use a phone as the camera", place, h("div", { class: "dialog-end" }, h("button", { type: "button", onclick: () => box.close() }, "Close")));
  let timer = 0;
  box.addEventListener("close", () => {
    window.clearTimeout(timer);
    then();
  });
  const said = (error) => {
    if (!(error instanceof Refusal)) throw error;
    fill(place, h("p", { class: "answer bad", role: "alert" }, error.message));
  };
  const known = h("div", {});
  const follow = async () => {
    try {
      const { device } = await get("/api/camera/phone");
      fill(known, device && h("p", { role: "status" }, h("b", {}, device.kind), " ", state(device)), device && h("button", { type: "button", class: "small", "data-key": "remove-phone", onclick: remove }, "Remove this phone"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    timer = window.setTimeout(follow, AGAIN_MS);
  };
  const remove = async () => {
    try {
      await post("/api/camera/phone/remove");
      box.close();
    } catch (error) {
      said(error);
    }
  };
  try {
    const { link, square, fingerprint } = await post("/api/camera/phone/invite");
    fill(
      place,
      h("p", {}, "Scan this with the phone's camera, and open the page. It lets one phone in, once, and that phone is the camera from then on."),
      build(square),
      h("p", {}, h("code", { class: "long", translate: "no" }, link)),
      warning(fingerprint),
      known,
    );
    await follow();
  } catch (error) {
    said(error);
  }
}
