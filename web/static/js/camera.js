// The camera's page: is it there, are the markers seen, where are the corners, where do the zones lie.

import { Refusal, get, mayChange, post } from "./lib/api.js";
import { build, byId, fill, h } from "./lib/dom.js";
import { apply, homography } from "./lib/homography.js";
import { bent, middle, shifted, triangle, turned } from "./lib/outline.js";
import { say } from "./lib/say.js";
import { Store, showState } from "./lib/store.js";
import { Handles } from "./parts/handles.js";
import { usePhone } from "./parts/phone-camera.js";
import { Picture } from "./parts/picture.js";

const NAMES = ["0 top left", "1 top right", "2 bottom right", "3 bottom left"];
const store = new Store();
showState(store, byId("state"));
const picture = new Picture(byId("picture"), store);
const handles = new Handles(picture.box, picture.canvas, moved);
picture.onpicture = () => mode && handles.look();

/** The edited part: none, the corners, or a zone by its number. */
let mode = /** @type {null|"corners"|number} */ (null);
let corners = /** @type {[number, number][]|null} */ (null);
let plan = /** @type {any} */ (null);
/** The plan of the game's printed mat. */
let printed = /** @type {any} */ (null);
let said = "";

const size = () => store.eyes?.size_px ?? (picture.canvas.width > 16 ? [picture.canvas.width, picture.canvas.height] : [1280, 720]);

function check() {
  const eyes = store.eyes;
  const works = ["looking", "moving", "reading"].includes(eyes.state);
  const seen = eyes.markers ?? [];
  const by = store.plan?.corners_px || plan?.corners_px;
  const line = (ok, text) => h("li", {}, h("span", { class: ok ? "mark-ok" : "mark-no", "aria-hidden": "true" }, ok ? "✓" : "✗"), h("span", {}, h("span", { class: "hidden" }, ok ? "Good: " : "Not yet: "), text));
  fill(
    byId("check"),
    line(works, eyes.text),
    eyes.mode && line(eyes.mode.enough, eyes.mode.text),
    line(Boolean(by) || seen.length >= 2, by ? "Corners were set by hand; no marker is looked for." : seen.length ? `Markers seen: ${seen.join(", ")} of 0, 1, 2, 3.` : "No marker is seen."),
    line(Boolean(eyes.overlay), eyes.overlay ? `Read in picture ${eyes.overlay.frame}: ${eyes.overlay.marks.filter((mark) => mark.kind === "read").length} pieces surely, ${eyes.overlay.marks.filter((mark) => mark.kind === "doubt").length} in doubt.` : "Nothing was read yet."),
    eyes.trouble && line(false, eyes.trouble),
  );
  fill(byId("check-tools"), mayChange() && h("button", { type: "button", class: "small", "data-key": "look", onclick: () => send("/api/eyes/look", {}, "Looking once more.") }, "Look again"));
}

const COUNTED = {
  requests: "answered", refused: "refused", retries: "sent again", failures: "given up", sessions: "sessions",
  restarts: "restarts", events: "events", events_lost: "lost events", bad: "damaged on the way here",
  device_bad: "damaged on the way there", device_overruns: "overruns there", rtt_ms: "ms to the last answer",
};

/** Returns a link's counters in words: answers and repetitions always, the others unless they are zero. */
function counted(counters) {
  const shown = Object.entries(COUNTED).filter(([name]) => counters[name] || (name === "retries" && counters.requests));
  return shown.map(([name, words]) => `${Math.round(counters[name] * 10) / 10} ${counters[name] === 1 ? words.replace(/s$/, "") : words}`).join(" · ");
}

/** Dice tower and LED board: link state, what to do, and the counters. */
async function devices() {
  const told = await get("/api/devices").catch(() => null);
  const list = told?.devices ?? [];
  byId("devices-card").hidden = !list.length;
  fill(byId("devices"), ...list.map((device) => {
    const ok = device.state === "ready";
    const title = `${device.name[0].toUpperCase()}${device.name.slice(1)}`;
    const counts = counted(device.counters);
    return h("li", {}, h("span", { class: ok ? "mark-ok" : "mark-no", "aria-hidden": "true" }, ok ? "✓" : "✗"), h("div", {}, h("b", {}, `${title}: ${device.state}`), h("p", {}, `${device.sentence} ${device.last}`), counts && h("p", { class: "soft counts" }, counts)));
  }));
}

function startCorners() {
  const [width, height] = size();
  corners = (store.eyes.corners_px ?? plan?.corners_px ?? [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]].map(([x, y]) => [x * width, y * height])).map((point) => [...point]);
  mode = "corners";
  said = "";
  show();
}

function moved(i, point) {
  if (mode === "corners") corners[i] = point;
  else if (typeof mode === "number") {
    const map = homography(corners_px(), mat());
    if (map) reshape(plan.zones[mode], i, apply(map, point));
    follow(i);
  }
  fields();
  lines();
}

/** Corners of a zone in millimeters; null for a board that is looked for. */
const corners_of = (zone) => (zone.type === "tile-board" ? zone.corners_mm : zone.outline_mm);

/** Move corner `i` of a zone, or all of it where there is no such corner. A board keeps its shape and turns. */
function reshape(zone, i, to) {
  const outline = corners_of(zone);
  const next = i >= outline.length ? shifted(outline, to) : zone.type === "tile-board" ? turned(outline, i, to) : bent(outline, i, to);
  outline.splice(0, outline.length, ...next);
}

/** Put the handles where the zone's corners are now, except the one in the hand. */
function follow(held) {
  const map = homography(mat(), corners_px());
  if (!map) return;
  const outline = corners_of(plan.zones[mode]);
  [...outline, middle(outline)].forEach((point, i) => i !== held && handles.put(i, apply(map, point)));
}

const mat = () => [[0, 0], [plan.mat.width_mm, 0], [plan.mat.width_mm, plan.mat.height_mm], [0, plan.mat.height_mm]];
const corners_px = () => corners ?? plan?.corners_px ?? store.eyes?.corners_px;

function show() {
  if (mode === "corners") handles.set(corners, NAMES, size());
  else if (typeof mode === "number") {
    const map = corners_px() && homography(mat(), corners_px());
    const outline = corners_of(plan.zones[mode]);
    const points = [...outline, middle(outline)];
    handles.set(map ? points.map((point) => apply(map, point)) : [], [...outline.map((_, i) => `${i + 1}`), `all of ${zoneName(plan.zones[mode])}`], size(), "point");
  } else handles.set([], [], size());
  showCorners();
  showZones();
  lines();
}

function showCorners() {
  const place = byId("corners");
  if (mode !== "corners") {
    fill(
      place,
      said && h("p", { class: "answer", role: "status" }, said),
      mayChange()
        ? h(
            "div",
            { class: "tools" },
            h("button", { type: "button", "data-key": "corners", onclick: startCorners }, "Set corners by hand"),
            plan?.corners_px && h("button", { type: "button", "data-key": "markers", onclick: () => useCorners(null) }, "Back to the markers"),
          )
        : h("p", { class: "soft" }, "Only players at the table can set corners."),
    );
    return;
  }
  const inputs = corners.flatMap((point, i) => [
    h("span", {}, NAMES[i]),
    ...[0, 1].map((axis) =>
      h("input", { type: "number", step: "1", min: "0", max: String(size()[axis]), "aria-label": `Corner ${NAMES[i]}, ${"xy"[axis]} in pixels`, id: `corner-${i}-${axis}`, value: String(Math.round(point[axis])), oninput: (event) => typed(i, axis, event.target) }),
    ),
  ]);
  fill(
    place,
    h("div", { class: "corner-grid" }, h("span", {}, ""), h("span", { class: "head" }, "x, pixels"), h("span", { class: "head" }, "y, pixels"), ...inputs),
    said && h("p", { class: "answer bad", role: "alert" }, said),
    h(
      "div",
      { class: "tools" },
      h("button", { type: "button", class: "primary", "data-key": "use", onclick: () => useCorners(corners) }, "Use these corners"),
      h("button", { type: "button", class: "quiet", onclick: () => { mode = null; corners = null; said = ""; show(); } }, "Cancel"),
    ),
  );
}

function typed(i, axis, input) {
  const value = Number(input.value);
  if (!Number.isFinite(value) || input.value === "") return;
  corners[i][axis] = Math.min(Math.max(value, 0), size()[axis]);
  handles.put(i, corners[i]);
  handles.choose(i);
  lines();
}

/** Numbers beside what is being moved. */
function fields() {
  if (mode === "corners") {
    corners.forEach((point, i) => {
      for (const axis of [0, 1]) {
        const input = byId(`corner-${i}-${axis}`);
        if (input && input !== document.activeElement) input.value = String(Math.round(point[axis]));
      }
    });
  } else if (typeof mode === "number") {
    corners_of(plan.zones[mode]).forEach((point, i) => {
      for (const axis of [0, 1]) {
        const input = byId(`zone-${i}-${axis}`);
        if (input && input !== document.activeElement) input.value = String(Math.round(point[axis]));
      }
    });
  }
}

async function useCorners(points) {
  if (await send("/api/eyes/corners", { corners_px: points }, points ? "These corners are used now." : "The markers are looked for again.")) {
    plan.corners_px = points;
    mode = null;
    corners = null;
  }
  show();
}

async function send(path, body, done) {
  try {
    await post(path, body);
    said = done;
    say(done);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    said = error.message;
    say(error.message);
    return false;
  }
}

function zoneName(zone) {
  if (zone.type === "tile-board" || zone.type === "pyramid-board") return "Board";
  if (zone.spot === "stalks") return "Growing stalks";
  const seat = /^seat(\d+)\.(hand|trees|supply|stalks)$/.exec(zone.spot ?? "");
  if (!seat) return zone.spot ?? zone.type;
  const what = { hand: "Hand", trees: "Trees", supply: "Supply", stalks: "Stalks" }[seat[2]];
  return `${what} of ${store.data?.seats?.[Number(seat[1])]?.name ?? `player ${Number(seat[1]) + 1}`}`;
}

function showZones() {
  if (!plan) return;
  const edit = typeof mode === "number" ? plan.zones[mode] : null;
  fill(
    byId("zones"),
    h("p", {}, `The mat is ${plan.mat.width_mm} by ${plan.mat.height_mm} mm, its markers ${plan.mat.marker_mm} mm wide.`),
    h(
      "div",
      { class: "tools" },
      ...plan.zones.map((zone, i) =>
        h("button", { type: "button", class: "small", "aria-pressed": String(mode === i), "data-key": `zone-${i}`, disabled: !mayChange() || !corners_px(), onclick: () => editZone(mode === i ? null : i) }, zoneName(zone)),
      ),
    ),
    !corners_px() && h("p", { class: "soft" }, "Zones can be moved once the corners are known."),
    mode === null && mayChange() && printed && h("div", { class: "tools spaced" }, h("button", { type: "button", class: "small", "data-key": "printed", onclick: () => printedZones() }, "Zones as on the printed mat")),
    edit && h("p", { class: "soft" }, `Drag a corner, or "all" to move the whole zone${edit.type === "tile-board" ? "; a corner turns the board" : ""}. Or choose one and tap its place, use the arrow keys, or type.`),
    edit && h("div", { class: "corner-grid" }, h("span", {}, ""), h("span", { class: "head" }, "x, mm"), h("span", { class: "head" }, "y, mm"), ...corners_of(edit).flatMap((point, i) => [
      h("span", {}, `Point ${i + 1}`),
      ...[0, 1].map((axis) => h("input", { type: "number", step: "1", id: `zone-${i}-${axis}`, "aria-label": `Point ${i + 1}, ${"xy"[axis]} in millimeters`, value: String(Math.round(point[axis])), oninput: (event) => zoneTyped(edit, i, axis, event.target) })),
    ])),
    edit && h(
      "div",
      { class: "tools" },
      h("button", { type: "button", class: "primary", "data-key": "save-plan", onclick: savePlan }, "Save the plan"),
      edit.type === "tile-board" && h("button", { type: "button", "data-key": "find-board", onclick: () => { edit.corners_mm = null; savePlan(); } }, "Let it be found"),
      h("button", { type: "button", class: "quiet", "data-key": "leave-zone", onclick: () => leaveZone() }, "Cancel"),
    ),
  );
}

/** Edit a zone; a board that is looked for begins in the middle of the mat. */
function editZone(i) {
  mode = i;
  const zone = i === null ? null : plan.zones[i];
  if (zone && !corners_of(zone)) zone.corners_mm = triangle([plan.mat.width_mm / 2, plan.mat.height_mm / 2]);
  show();
}

/** Forget what was moved. */
async function leaveZone() {
  mode = null;
  await fetchPlan();
  show();
}

/** Put all zones back to where the game's printed mat has them. */
async function printedZones() {
  plan = { ...plan, mat: printed.mat, zones: printed.zones };
  await savePlan();
  await fetchPlan();
  show();
}

async function fetchPlan() {
  ({ plan, printed } = await get("/api/plan"));
}

function zoneTyped(zone, i, axis, input) {
  const value = Number(input.value);
  if (!Number.isFinite(value) || input.value === "") return;
  const outline = corners_of(zone);
  reshape(zone, i, axis ? [outline[i][0], value] : [value, outline[i][1]]);
  follow(-1);
  lines();
}

async function savePlan() {
  if (await send("/api/plan", plan, "The plan is saved and used from the next picture on.")) mode = null;
  show();
}

/** Mat and zones over the picture, as lines. */
function lines() {
  picture.inner.querySelector(":scope > svg.plan")?.remove();
  const points = mode === "corners" ? corners : corners_px();
  if (!points || !plan) return;
  const [width, height] = size();
  const written = (outline) => outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const outlines = [points];
  const map = homography(mat(), points);
  if (map) for (const zone of plan.zones) if (corners_of(zone)) outlines.push(corners_of(zone).map((point) => apply(map, point)));
  const shapes = outlines.flatMap((outline, i) => [
    ["polygon", { class: "mark-under", points: written(outline) }, []],
    ["polygon", { class: i ? "mark hand-mark" : "mark board-mark", points: written(outline) }, []],
  ]);
  const svg = build(["svg", { class: "plan", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, shapes]);
  picture.inner.querySelector(":scope > canvas")?.after(svg);
}

store.on("data", async ({ before, data }) => {
  if (mode === null && before && before.game?.id !== data.game?.id) await fetchPlan();
  check();
  if (mode === null) show();
});
store.on("eyes", () => {
  check();
  if (mode === null) show();
});
await fetchPlan();
devices();
const phoneButton = document.getElementById("use-phone");
phoneButton?.addEventListener("click", () => usePhone(devices));
if (phoneButton && location.hash === "#use-phone") usePhone(devices);
setInterval(devices, 3000);
await store.start();
