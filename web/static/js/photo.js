// Score a photo: a picture goes to the server, its reading comes back, can be corrected, and is judged by the rules.

import { Refusal, here, post } from "./lib/api.js";
import { byId, fill, h } from "./lib/dom.js";
import { t } from "./lib/language.js";

const SVG = "http://www.w3.org/2000/svg";
const COLORS = ["red", "red-orange", "orange", "orange-yellow", "yellow", "yellow-green", "green", "green-blue", "blue", "blue-purple", "purple", "purple-red"];
const CORNERS = ["Tap the top left corner of the mat.", "Tap its top right corner.", "Tap its bottom right corner.", "Tap its bottom left corner."];

/** More sentences than this are folded away. */
const FEW = 28;

/** Readings of the photos so far, the last one with its photo; `taps` are corners of the mat while they are being tapped. */
const state = { readings: [], seen: null, file: null, url: "", taps: null };

const game = () => byId("photo-game").value;

/** One editable piece of a reading: its name, its text, and how to set it. */
function entries() {
  const reading = state.readings.at(-1);
  if (!reading) return [];
  if (reading.cells)
    return reading.cells.map((tile, k) => ({
      key: `c${k}`,
      text: tile ? tile.left + tile.right + tile.flat : "",
      doubtful: state.seen?.doubtful.includes(`c${k}`),
      choices: (state.seen?.candidates[`c${k}`] ?? []).map((name) => name.slice(0, 3)),
      set: (text) => (reading.cells[k] = text ? { left: text[0] ?? "", right: text[1] ?? "", flat: text[2] ?? "" } : null),
    }));
  if (reading.dice)
    return reading.dice.map((die, k) => ({ key: `${k}`, text: String(die.face ?? ""), doubtful: die.confidence < 0.9, choices: COLORS, set: (text) => (die.face = text) }));
  if (reading.pawns)
    return reading.pawns.map((pawn, k) => ({
      key: `${pawn.path}.${pawn.space}`,
      text: pawn.color,
      doubtful: pawn.confidence < 0.9,
      choices: COLORS.filter((_, i) => i % 2 === 0),
      set: (text) => (text ? (pawn.color = text) : reading.pawns.splice(k, 1)),
    }));
  return (reading.stacks ?? []).map((stack, k) => ({
    key: `${k}`,
    text: stack.pieces.map((piece) => `${piece.color} ${piece.size}`).join(", "),
    doubtful: stack.confidence < 0.9,
    choices: [],
    set: (text) => (stack.pieces = text.split(",").filter((part) => part.trim()).map((part) => ({ color: part.trim().split(" ")[0], size: part.trim().split(" ")[1] ?? "" }))),
  }));
}

function showReading() {
  const rows = entries().filter((entry) => entry.text || entry.doubtful || entry.key === state.open);
  rows.sort((a, b) => Number(b.doubtful) - Number(a.doubtful));
  const fields = rows.map((entry) =>
    h(
      "label",
      { class: entry.doubtful ? "doubtful" : "" },
      h("span", { translate: "no" }, `${entry.key} `),
      h("input", { value: entry.text, "data-key": `entry-${entry.key}`, list: `choices-${entry.key}`, maxlength: "120", size: "9", onchange: (event) => correct(entry, event.target.value.trim()) }),
      h("datalist", { id: `choices-${entry.key}` }, ...entry.choices.map((choice) => h("option", { value: choice }))),
      entry.doubtful && h("span", { class: "soft" }, "doubtful"),
    ),
  );
  fill(byId("photo-reading"), ...(fields.length ? fields : [h("p", { class: "soft" }, "Nothing yet.")]));
}

function correct(entry, text) {
  entry.set(state.readings.at(-1).cells ? text.toUpperCase() : text);
  if (state.seen) state.seen.doubtful = state.seen.doubtful.filter((spot) => spot !== entry.key);
  showReading();
  score();
}

/** The photo with outlines that can be tapped. */
function showPicture() {
  if (!state.url) return fill(byId("photo-picture"));
  const [width, height] = state.seen?.size_px ?? state.size ?? [4, 3];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "photo");
  const image = document.createElementNS(SVG, "image");
  image.setAttribute("href", state.url);
  image.setAttribute("width", width);
  image.setAttribute("height", height);
  svg.append(image);
  let number = 0;
  for (const mark of state.seen?.marks ?? []) {
    if (mark.kind === "board" || mark.kind === "marker") continue;
    const key = mark.spot ?? `${number++}`;
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("points", mark.outline.map(([x, y]) => `${x * width},${y * height}`).join(" "));
    shape.setAttribute("class", `photo-mark ${mark.kind}`);
    shape.addEventListener("click", () => openEntry(key));
    svg.append(shape);
  }
  if (state.taps) {
    for (const [x, y] of state.taps) {
      const dot = document.createElementNS(SVG, "circle");
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", y);
      dot.setAttribute("r", width / 80);
      dot.setAttribute("class", "photo-corner");
      svg.append(dot);
    }
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      tapCorner(((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height);
    });
  }
  fill(byId("photo-picture"), svg);
}

function openEntry(key) {
  state.open = key;
  showReading();
  document.querySelector(`[data-key="entry-${CSS.escape(key)}"]`)?.focus();
}

function tapCorner(x, y) {
  state.taps.push([Math.round(x), Math.round(y)]);
  showPicture();
  if (state.taps.length < CORNERS.length) return say(CORNERS[state.taps.length]);
  const corners = state.taps.flat().join(",");
  state.taps = null;
  read(corners);
}

function say(sentence, bad = false) {
  byId("photo-answer").textContent = t(sentence);
  byId("photo-answer").classList.toggle("bad", bad);
}

/** Runs what talks to the server; a refusal is said. */
async function tried(what) {
  try {
    return await what();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message, true);
    return null;
  }
}

async function read(corners = "") {
  say("The photo is read.");
  const query = new URLSearchParams({ game: game(), ...(corners && { corners }) });
  const seen = await tried(async () => {
    let response;
    try {
      response = await fetch(here(`/api/photos/read?${query}`), { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: state.file });
    } catch {
      throw new Refusal(0, { error: "The table cannot be reached. Check the network and try again." });
    }
    const data = await response.json().catch(() => ({ error: "The server gave no answer. Try again." }));
    if (!response.ok) throw new Refusal(response.status, data);
    return data;
  });
  state.seen = seen;
  fill(byId("photo-corners"), !seen && h("button", { type: "button", class: "button", onclick: beginCorners }, "Tap the corners of the mat"));
  if (seen) {
    state.readings.push(seen.reading);
    say(seen.doubtful.length ? "Look at what is marked as doubtful." : "Read.");
    await score();
  }
  showPicture();
  showReading();
}

async function beginCorners() {
  const image = await createImageBitmap(state.file).catch(() => null);
  if (!image) return say("This browser cannot show the photo. Send it as a JPEG.", true);
  state.size = [image.width, image.height];
  state.taps = [];
  say(CORNERS[0]);
  showPicture();
}

async function score() {
  const report = await tried(() => post("/api/photos/score", { game: game(), readings: state.readings, seats: Number(byId("photo-seats").value) }));
  if (!report) return;
  const item = (note) => h("li", { class: note.broken ? "bad" : "" }, h("span", {}, note.text), note.rule && h("span", { class: "soft", translate: "no" }, ` ${note.rule}`));
  const broken = report.notes.filter((note) => note.broken).map(item);
  const others = report.notes.filter((note) => !note.broken).map(item);
  const turns = report.turns.map((turn) => h("li", {}, h("span", {}, turn.text), turn.points !== null && h("b", { translate: "no" }, ` ${turn.points}`)));
  const totals = report.totals.map((total, seat) => h("li", {}, `Player ${seat + 1}: ${total}`));
  fill(
    byId("photo-score"),
    turns.length > 0 && h("ol", {}, ...turns),
    totals.length > 0 && h("ul", { class: "totals" }, ...totals),
    broken.length > 0 && h("ul", { class: "breaches" }, ...broken),
    others.length > 0 && h("details", { open: others.length < FEW }, h("summary", {}, "All that was read"), h("ul", {}, ...others)),
    report.position && h("button", { type: "button", class: "button primary", onclick: goOn }, "Go on from here"),
    h("button", { type: "button", class: "button", onclick: begin }, "Begin a new row"),
  );
}

async function goOn() {
  const names = Array.from({ length: Number(byId("photo-seats").value) }, (_, seat) => t(`Player ${seat + 1}`));
  const begun = await tried(() => post("/api/photos/game", { game: game(), readings: state.readings, names }));
  if (begun) location.assign(here("/"));
}

function begin() {
  if (state.url) URL.revokeObjectURL(state.url);
  Object.assign(state, { readings: [], seen: null, file: null, url: "", taps: null, open: null });
  byId("photo-file").value = "";
  say("");
  for (const part of ["photo-score", "photo-corners"]) fill(byId(part));
  showPicture();
  showReading();
}

byId("photo-file").addEventListener("change", (event) => {
  const file = event.target.files[0];
  if (!file) return;
  if (state.url) URL.revokeObjectURL(state.url);
  Object.assign(state, { file, url: URL.createObjectURL(file), seen: null, taps: null, open: null });
  read();
});
byId("photo-game").addEventListener("change", begin);
byId("photo-seats").addEventListener("change", () => state.readings.length && score());
showReading();
