// The seen pieces while table and record are apart: each piece as a button that corrects it, a piece more for each place, whose turn it is.
// Corrections stay on this page until people begin from them, confirm the record, or the camera sees something else.

import { Refusal, get, mayChange } from "../lib/api.js";
import { build, dialog, h } from "../lib/dom.js";
import { t } from "../lib/language.js";
import { say } from "../lib/say.js";

const LETTERS = 2; // of one pyramid in the code of a stack

/** The corrections by a person; a piece of null: the place is empty. */
const told = {
  /** The game that it belongs to. */ game: "",
  /** @type {Map<string, any>} */ pieces: new Map(),
  /** @type {Map<string, any[]>} */ added: new Map(),
  /** @type {string|null} */ turn: null,
};

/** The body of the command that begins from what is seen, as it was corrected. @param {any} agreement */
export function asSeen(agreement) {
  const seen = Object.fromEntries(agreement.spots.filter(isCorrected).map((spot) => [spot.spot, standing(spot).map((piece) => piece.code)]));
  return { number: agreement.number, seen, turn: told.turn ?? "" };
}

/**
 * @param {any} data the table
 * @param {() => void} redraw
 * @returns {HTMLElement|null}
 */
export function agreementList({ agreement, game }, redraw) {
  if (!agreement) return null;
  if (told.game !== game.id) forget(game.id);
  const here = new Set(agreement.spots.flatMap((spot) => [...spot.things, ...spot.unseen.map((_, i) => unseenThing(spot, i))].map((thing) => thing.id)));
  for (const id of told.pieces.keys()) if (!here.has(id)) told.pieces.delete(id);
  const asked = agreement.spots.filter((spot) => spot.differs || spot.doubted || isCorrected(spot));
  const rest = agreement.spots.filter((spot) => !asked.includes(spot));
  const opened = document.querySelector(".agreement-rest[open]") !== null;
  const more = rest.length === 1 ? "1 place is as recorded" : `${rest.length} places are as recorded`;
  return h(
    "div",
    { class: "agreement" },
    agreement.problem && h("p", { class: "answer bad" }, agreement.problem),
    h("div", { class: "agreement-spots" }, ...asked.map((spot) => spotBox(spot, redraw))),
    rest.length > 0 && h("details", { class: "agreement-rest", open: opened }, h("summary", { "data-key": "agreement-rest" }, more), h("div", { class: "agreement-spots" }, ...rest.map((spot) => spotBox(spot, redraw)))),
  );
}

/** Nothing is corrected any more. @param {string} game */
export function forget(game = "") {
  told.game = game;
  told.pieces.clear();
  told.added.clear();
  told.turn = null;
}

/** How many corrections there are. @param {any} agreement */
export const corrections = (agreement) => agreement.spots.filter(isCorrected).length;

const unseenThing = (spot, i) => ({ id: `${spot.spot} unseen ${i}`, piece: spot.unseen[i], doubtful: false, recorded: true, others: [] });
const everything = (spot) => [...spot.things, ...spot.unseen.map((_, i) => unseenThing(spot, i))];
const pieceOf = (thing) => (told.pieces.has(thing.id) ? told.pieces.get(thing.id) : thing.piece);
const isCorrected = (spot) => (told.added.get(spot.spot)?.length ?? 0) > 0 || everything(spot).some((thing) => told.pieces.has(thing.id));
const standing = (spot) => [...everything(spot).map(pieceOf), ...(told.added.get(spot.spot) ?? [])].filter(Boolean);

/** A place as a heading: "The supply of Ann", but "c20". @param {string} name */
const headed = (name) => (name.startsWith("the ") ? t(name).replace(/^./u, (first) => first.toUpperCase()) : t(name));

function spotBox(spot, redraw) {
  const mark = isCorrected(spot) ? "corrected" : spot.differs ? "differs" : spot.doubted ? "not read surely" : "as recorded";
  const record = spot.record.length ? spot.record.join(", ") : "nothing";
  const added = told.added.get(spot.spot) ?? [];
  const empty = spot.things.length + spot.unseen.length + added.length === 0;
  return h(
    "section",
    { class: `agreement-spot ${spot.differs || spot.doubted ? "asked" : ""}`, "aria-label": spot.name },
    h("h3", {}, h("span", { translate: "no" }, headed(spot.name)), h("span", { class: "agreement-mark" }, mark)),
    h("p", { class: "soft" }, h("strong", {}, "The record has: "), record),
    h(
      "ul",
      { class: "pieces", "aria-label": "What is seen" },
      ...spot.things.map((thing) => h("li", {}, thingButton(spot, thing, false, redraw))),
      ...spot.unseen.map((_, i) => h("li", {}, thingButton(spot, unseenThing(spot, i), true, redraw))),
      ...added.map((piece, i) => h("li", {}, addedButton(spot, piece, i, redraw))),
      empty && !spot.cell && h("li", { class: "agreement-none" }, "Nothing is seen here."),
      !spot.cell && mayChange() && h("li", {}, h("button", { type: "button", class: "piece agreement-add", "data-key": `add-${spot.spot}`, onclick: () => add(spot, redraw) }, h("span", { "aria-hidden": "true" }, "+"), h("span", {}, "Add a piece"))),
    ),
    spot.missing.length > 0 && h("p", { class: "agreement-missing" }, h("strong", {}, "Not seen: "), spot.missing.join(", ")),
  );
}

/** One thing as a button: what it is, and how sure that is. */
function thingButton(spot, thing, unseen, redraw) {
  const piece = pieceOf(thing);
  const corrected = told.pieces.has(thing.id);
  const others = thing.others.map((one) => one?.name ?? "nothing").join(" or ");
  let note = "";
  if (corrected) note = "corrected";
  else if (unseen) note = "out of sight";
  else if (thing.doubtful) note = others ? `or ${others}?` : "not sure";
  else if (!thing.recorded) note = "not recorded";
  const kind = corrected ? "corrected" : thing.doubtful ? "doubtful" : thing.recorded ? "" : "unrecorded";
  return thingBox(piece, note, kind, `thing-${thing.id}`, () => correct(spot, thing, redraw));
}

const addedButton = (spot, piece, i, redraw) =>
  thingBox(piece, "added", "corrected", `added-${spot.spot}-${i}`, () => {
    told.added.get(spot.spot)?.splice(i, 1);
    redraw();
  });

function thingBox(piece, note, kind, key, act) {
  const name = piece?.name ?? "nothing";
  return h(
    "button",
    { type: "button", class: `piece agreement-thing ${kind}`, "data-key": key, disabled: !mayChange(), onclick: act },
    piece ? build(piece.picture) : h("span", { class: "agreement-gone", "aria-hidden": "true" }, "–"),
    piece && h("code", { "aria-hidden": "true" }, piece.code.replace(/^pawn/u, "")),
    h("span", { class: "agreement-name" }, name),
    note && h("span", { class: "agreement-note" }, note),
  );
}

/**
 * How the turn stands, to be chosen where the table does not tell.
 * @param {any} agreement @param {() => void} redraw
 */
export function turnChoice({ turns }, redraw) {
  if (turns.length < 2) return null;
  const now = turns.find((one) => one.now)?.text ?? turns[0].text;
  const choice = /** @type {HTMLSelectElement} */ (
    h("select", { id: "agreement-turn", "data-key": "agreement-turn" }, ...turns.map(({ text }) => h("option", { value: text, selected: text === (told.turn ?? now) }, text)))
  );
  choice.addEventListener("change", () => {
    told.turn = choice.value;
    redraw();
  });
  return h("p", { class: "agreement-turn" }, h("label", { for: "agreement-turn" }, "How the turn stands"), choice);
}

/** Say what a thing really is. */
async function correct(spot, thing, redraw) {
  const set = (piece) => {
    if (piece?.code === thing.piece?.code) told.pieces.delete(thing.id);
    else told.pieces.set(thing.id, piece);
    redraw();
  };
  const now = pieceOf(thing);
  await choose(spot, now ? `Is this ${now.name}?` : "Does something stand here?", now, thing, set);
}

/** A piece that was not seen. */
async function add(spot, redraw) {
  await choose(spot, "Which piece stands here, too?", null, null, (piece) => {
    if (piece) told.added.set(spot.spot, [...(told.added.get(spot.spot) ?? []), piece]);
    redraw();
  });
}

/**
 * A dialog in which a piece is chosen.
 * @param {any} spot @param {string} title @param {any} now what it is held for
 * @param {any} thing what is seen; null: nothing @param {(piece: any) => void} set
 */
async function choose(spot, title, now, thing, set) {
  const done = (piece) => {
    box.close();
    set(piece);
    say(piece ? `${piece.name}.` : "Nothing stands here.");
  };
  const likely = [...(thing?.others ?? []).filter(Boolean), ...(thing?.piece && thing.piece.code !== now?.code ? [thing.piece] : [])];
  const pieces = h("div", { class: "agreement-set" }, h("p", { class: "soft" }, "Loading."));
  const box = dialog(
    title,
    h("p", { class: "soft" }, spot.name),
    likely.length > 0 && h("p", {}, h("strong", {}, "It may also be:")),
    likely.length > 0 && pieceList(likely, done),
    pieces,
    h(
      "div",
      { class: "tools spaced" },
      now && h("button", { type: "button", "data-key": "nothing-here", onclick: () => done(null) }, "Nothing stands here"),
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, now ? "Leave it as it is" : "Cancel"),
    ),
  );
  try {
    const { pieces: all } = await get("/api/table/pieces", { spot: spot.spot });
    pieces.replaceChildren(...(spot.stacks ? stackBuilder(spot, now, all, done) : [h("p", {}, h("strong", {}, "Choose what stands here:")), pieceList(all, (piece) => turned(spot, piece, pieces, done))]));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    pieces.replaceChildren(h("p", { class: "answer bad" }, error.message));
  }
}

const pieceList = (pieces, act) =>
  h("ul", { class: "pieces many" }, ...pieces.map((piece) => h("li", {}, h("button", { type: "button", class: "piece", "data-code": piece.code, onclick: () => act(piece) }, build(piece.picture), h("code", { "aria-hidden": "true" }, piece.code), h("span", { class: "hidden" }, piece.name)))));

/** How a chosen piece lies, where it can lie in several ways. */
async function turned(spot, piece, place, done) {
  const { pieces } = spot.cell ? await get("/api/table/pieces", { spot: spot.spot, piece: piece.code }) : { pieces: [piece] };
  if (pieces.length === 1) done(pieces[0]);
  else place.replaceChildren(h("p", {}, h("strong", {}, "How does it lie?")), pieceList(pieces, done));
}

/** A stack, bottom to top: a tap chooses the piece that another one takes the place of; else one comes on top. */
function stackBuilder(spot, now, all, done) {
  const byCode = new Map(all.map((piece) => [piece.code, piece]));
  let parts = now ? (now.code.match(/../g) ?? []).filter((code) => byCode.has(code)) : [];
  let at = parts.length;
  const shown = h("div", { class: "agreement-stack" });
  const draw = () => {
    const steps = parts.map((code, i) => h("li", {}, h("button", { type: "button", class: "piece", "data-key": `stack-${i}`, "aria-pressed": String(i === at), onclick: () => mark(i) }, build(byCode.get(code).picture), h("span", {}, byCode.get(code).name))));
    const top = h("li", {}, h("button", { type: "button", class: "piece agreement-add", "data-key": "stack-top", "aria-pressed": String(at === parts.length), onclick: () => mark(parts.length) }, h("span", { "aria-hidden": "true" }, "+"), h("span", {}, parts.length ? "On top" : "First piece")));
    shown.replaceChildren(
      h("p", {}, h("strong", {}, "The stack, bottom to top:")),
      h("ol", { class: "pieces" }, ...steps, top),
      h(
        "div",
        { class: "tools" },
        at < parts.length && h("button", { type: "button", class: "small", "data-key": "stack-off", onclick: () => take(at) }, "Take this piece off"),
        parts.length > 0 && h("button", { type: "button", class: "primary", "data-key": "stack-done", onclick: finish }, "It stands so"),
      ),
    );
  };
  const mark = (i) => {
    at = i;
    draw();
  };
  const take = (i) => {
    parts = parts.filter((_, j) => j !== i);
    mark(parts.length);
  };
  const put = ({ code }) => {
    parts = [...parts.slice(0, at), code, ...parts.slice(at + 1)];
    mark(parts.length);
  };
  const finish = async () => {
    const code = parts.join("");
    const { pieces } = code.length === LETTERS ? { pieces: [byCode.get(code)] } : await get("/api/table/pieces", { spot: spot.spot, piece: code });
    done(pieces[0]);
  };
  draw();
  return [shown, h("p", {}, h("strong", {}, "Choose a piece for it:")), pieceList(all, put)];
}
