// Setting up: a game, its players, its options; or going on with an earlier game. The options come from the game itself.

import { t } from "./lib/language.js";
import { Refusal, get, isHost, mayChange, post } from "./lib/api.js";
import { build, byId, fill, h, sign } from "./lib/dom.js";
import { cameraAnswer, showCameras } from "./parts/cameras.js";
import { usePhone } from "./parts/phone-camera.js";
import { optionFields, whatDiffers } from "./parts/game-options.js";
import { showPhonesCard } from "./parts/phones.js";
import { beginInstead } from "./parts/put-away.js";

const NAMES = Array.from({ length: 10 }, (_, i) => `Player ${i + 1}`);
const PAPERS = [["a4", "A4"], ["a3", "A3"], ["letter", "Letter"]];
const state = { games: [], game: null, names: ["", ""], options: {}, draws: "told", watched: false, known: [], /** @type {number|null} the seat whose name was tapped last */ at: null };

const LENGTHS = { short: "up to 20 minutes", middle: "20 to 60 minutes", long: "an hour or more" };
const KNOWN = 12;

/** The boards of all games, one after the other, so that a small machine answers other questions in between. */
async function showPictures() {
  for (const game of state.games) {
    const { board } = await get(`/api/games/${game.name}/board`);
    pictures.set(game.name, build(board));
    hangPictures();
  }
}

const pictures = new Map();
function hangPictures() {
  for (const place of document.querySelectorAll(".game-picture")) {
    const picture = pictures.get(place.dataset.game);
    if (picture && !place.contains(picture)) place.replaceChildren(picture);
  }
}

function showGames() {
  fill(
    byId("games"),
    ...state.games.map((game) =>
      h(
        "label",
        { class: "game" },
        h("input", { type: "radio", name: "game", value: game.name, checked: game === state.game, "data-key": `game-${game.name}`, "aria-label": game.title, onchange: () => pick(game) }),
        h("span", { class: "game-picture", "aria-hidden": "true", "data-game": game.name }),
        h("span", { class: "game-title" }, game.title),
        h("span", { class: "soft" }, seats(game)),
      ),
    ),
  );
  hangPictures();
}

/** Shows the chosen game: its name, one sentence, how many play, how long, and where its rules are. */
function showAbout() {
  const { game } = state;
  const facts = [seats(game), LENGTHS[game.length], game.ways.includes("camera") && "a camera can watch"].filter(Boolean).map(t);
  fill(
    byId("about"),
    h("h2", { id: "about-title" }, game.title),
    game.about && h("p", {}, game.about),
    h("p", { class: "soft", translate: "no" }, `${facts.join(" · ")} · `, h("a", { href: `/rules/${game.name}` }, t("Rules"))),
  );
}

const seats = (game) => {
  const [least, most] = [game.seats[0], game.seats[game.seats.length - 1]];
  if (least === most) return `${least} ${least === 1 ? "player" : "players"}`;
  if (most - least + 1 === game.seats.length) return `${least} to ${most} players`;
  return `${game.seats.slice(0, -1).join(", ")} or ${most} players`;
};

/** A tap on a game: on a narrow page, where people and options stand below, they come into view. */
function pick(game) {
  choose(game);
  if (matchMedia("(max-width: 899px)").matches) byId("about").scrollIntoView({ block: "start", behavior: "smooth" });
}

function choose(game) {
  state.game = game;
  state.options = {};
  leaveHandsUnseen();
  state.draws = game.dealt ? "dealt" : "told";
  while (state.names.length < game.seats[0]) state.names.push("");
  state.names.length = Math.min(state.names.length, game.seats[game.seats.length - 1]);
  for (const input of document.querySelectorAll('input[name="game"]')) input.checked = input.value === game.name;
  showAbout();
  showPlayers();
  showOptions();
  showMat();
}

/** A camera watches the board alone, unless people say that hands lie in view, too. */
function leaveHandsUnseen() {
  const hands = state.game.options.find((field) => field.name === "hands");
  if (!hands?.choices?.includes("unseen")) return;
  if (state.watched) state.options.hands = "unseen";
  else delete state.options.hands;
}

/** The printed mat of a game that a camera can watch. */
function showMat() {
  if (!byId("mat")) return;
  const { name, ways } = state.game;
  byId("mat").hidden = !ways.includes("camera");
  const sheets = PAPERS.map(([paper, title]) => h("a", { class: "button", target: "_blank", rel: "noopener", href: `/mat/${name}.pdf?seats=${state.names.length}&paper=${paper}` }, title));
  fill(byId("mat-papers"), ...sheets);
}

function showPlayers() {
  const [least, most] = [state.game.seats[0], state.game.seats[state.game.seats.length - 1]];
  fill(
    byId("players"),
    ...state.names.map((name, i) =>
      h(
        "li",
        { class: "player" },
        h("span", { class: "soft", "aria-hidden": "true" }, `${i + 1}.`),
        h("input", { "aria-label": `Name of player ${i + 1}`, value: name, placeholder: NAMES[i], maxlength: "40", enterkeyhint: i + 1 < state.names.length ? "next" : "go", "data-key": `name-${i}`, oninput: (event) => named(i, event.target.value), onfocus: (event) => ask(i, event.target), onkeydown: (event) => nextName(event, i) }),
        state.names.length > 1 && h("button", { type: "button", class: "icon-button", "aria-label": `Move player ${i + 1} up`, disabled: i === 0, "data-key": `up-${i}`, onclick: () => up(i) }, "↑"),
        most > least && h("button", { type: "button", class: "icon-button", "aria-label": `Remove player ${i + 1}`, disabled: state.names.length <= least, "data-key": `remove-${i}`, onclick: () => remove(i) }, "×"),
      ),
    ),
  );
  byId("add-player").hidden = state.names.length >= most;
  showKnown();
}

function named(i, name) {
  state.names[i] = name;
  showKnown();
}

/** The enter key leads to the next empty name; behind the last one it begins the game. */
function nextName(event, i) {
  const next = state.names.findIndex((name, n) => n > i && !name.trim());
  if (event.key !== "Enter" || next < 0) return;
  event.preventDefault();
  byId("players").querySelectorAll("input")[next].focus();
}

/** Lets somebody else sit where a name was tapped: a new name replaces the old one, or a name from the list. */
function ask(i, input) {
  state.at = i;
  input.select();
  showKnown();
}

/** Shows the people of earlier games, the latest first, each with their sign. A tap fills the tapped name or the next empty one, so that each person keeps one spelling. */
function showKnown() {
  const here = new Set(state.names.map((name) => name.trim().toLowerCase()));
  const free = state.names.findIndex((name) => !name.trim());
  const most = state.game.seats[state.game.seats.length - 1];
  const left = state.known.filter((name) => !here.has(name.toLowerCase())).slice(0, KNOWN);
  const seat = state.at ?? (free >= 0 ? free : state.names.length < most ? state.names.length : null);
  byId("known-players").hidden = !left.length;
  const instead = seat !== null && state.names[seat]?.trim();
  const more = seat !== null && seat === state.names.length;
  const words = seat === null ? "Someone else? Tap a name." : instead ? `Someone else instead of ${instead}?` : more ? "One more? Or someone else: tap a name." : "";
  const buttons = seat === null ? [] : left.map((name) => h("button", { type: "button", class: "small", "data-key": `known-${name}`, onclick: () => sit(name, seat) }, signs.has(name.toLowerCase()) && sign(signs.get(name.toLowerCase())), h("span", { translate: "no" }, name)));
  fill(byId("known-players"), words && h("span", { class: "soft" }, words), ...buttons);
}

function sit(name, seat) {
  state.names[seat] = name;
  state.at = null;
  seated();
}

/** The sign of each person who has played here. @type {Map<string, {path: string, color: number}>} */
const signs = new Map();
async function learnSigns() {
  const [name] = state.known;
  if (!name) return;
  const { shapes, now, taken } = await get("/api/people/signs", { name });
  const paths = new Map(shapes.map((one) => [one.shape, one.path]));
  for (const one of [{ name, ...now }, ...taken]) signs.set(one.name.toLowerCase(), { path: paths.get(one.shape), color: one.color });
}

/** The names of earlier games, each once, the latest first. */
const namesOf = (saved) => [...new Map(saved.flatMap((game) => game.names).filter((name) => !NAMES.includes(name)).reverse().map((name) => [name.toLowerCase(), name])).values()].reverse();

function up(i) {
  state.at = null;
  [state.names[i - 1], state.names[i]] = [state.names[i], state.names[i - 1]];
  seated();
}

function remove(i) {
  state.at = null;
  state.names.splice(i, 1);
  seated();
}

/** Other players or another order: options that go by player follow. */
function seated() {
  showPlayers();
  showMat();
  if (state.game.options.some((field) => field.name === "colors" || field.seats)) showOptions();
}

/** The options behind one line, which says what differs from the usual. */
function showOptions() {
  fill(byId("options"), ...optionFields(state, showDifference));
  showDifference();
}

function showDifference() {
  byId("options-differ").textContent = whatDiffers(state);
}

function showSaved(saved) {
  if (saved.length === 0) {
    fill(byId("saved"), h("p", { class: "soft" }, "None yet."));
    return;
  }
  const items = saved.map((game) =>
    h(
      "li",
      {},
      h("span", {}, h("strong", {}, game.title), ` · ${game.names.join(", ")} `, h("span", { class: "soft" }, new Date(game.started * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }))),
      game.here
        ? h("a", { class: "button small", href: "/" }, "On the table")
        : mayChange() && h("button", { type: "button", class: "small", "aria-label": `Go on with the game of ${game.names.join(", ")}`, onclick: () => go("/api/saved", { game: game.id }) }, "Go on"),
    ),
  );
  fill(byId("saved"), h("ul", { class: "saved-list" }, ...items));
}

async function go(path, body) {
  byId("setup-answer").textContent = "";
  const begin = async (instead) => {
    await post(path, instead ? { ...body, instead } : body);
    location.assign("/");
  };
  try {
    await (path === "/api/games" ? beginInstead(begin, "/") : begin());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message, "answer bad");
  }
}

/** Say something above the button that begins the game, in view. */
function say(text, look) {
  const answer = byId("setup-answer");
  answer.className = look;
  answer.textContent = t(text);
  answer.scrollIntoView({ block: "center" });
}

/** Resolves once the games are shown; a press before that begins the game then. */
let areShown;
const shown = new Promise((resolve) => (areShown = resolve));

/** Begin the game that the page shows. Whether hands are told follows from the camera, so its answer is waited for. */
async function start() {
  await shown;
  const answer = cameraAnswer();
  if (answer) {
    say("The game begins as soon as the camera is set.", "answer");
    const refused = await answer;
    if (refused) {
      say(`${refused} The game has not begun: start it again to play without this camera.`, "answer bad");
      return;
    }
  }
  const names = state.names.map((name, i) => name.trim() || NAMES[i]);
  await go("/api/games", { game: state.game.name, names, options: state.options, draws: state.draws });
}

byId("add-player").addEventListener("click", () => {
  state.names.push("");
  seated();
  byId("players").querySelector("li:last-child input")?.focus();
});

/** A press while another one is carried out begins no second game. */
let starting = false;
byId("setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (starting) return;
  starting = true;
  await start().finally(() => (starting = false));
});

const [{ games }, { saved }, eyes] = await Promise.all([get("/api/games"), get("/api/saved"), get("/api/eyes")]);
state.watched = eyes.state !== "off";
state.games = games;
state.known = namesOf(saved);
await learnSigns();
showSaved(saved);
showGames();
areShown();
/** An evening's pairing names the game and the people in the address. */
const asked = new URLSearchParams(location.search);
const last = asked.get("game") ?? document.body.dataset.game;
const paired = asked.getAll("name").filter((name) => name.trim());
const people = eyes.playback ? undefined : saved.find((game) => game.here)?.names;
if (people?.every((name) => !NAMES.includes(name))) state.names = [...people];
if (paired.length) state.names = paired.map((name) => name.slice(0, 40));
if (games.length) choose(games.find((game) => game.name === last) ?? games[0]);
else fill(byId("games"), h("p", { class: "soft" }, "There is no game that this page can show."));
showPictures();
if (isHost()) {
  const saying = (name) => (byId("camera-differs").textContent = t(name === "" ? (state.watched ? "watches the table" : "none: you enter the moves") : `camera ${name} watches`));
  saying("");
  const watchedBy = (name) => {
    state.watched = name !== "";
    saying(name);
    leaveHandsUnseen();
    showOptions();
  };
  showCameras(byId("cameras"), watchedBy);
  byId("use-phone").addEventListener("click", () =>
    usePhone(async () => {
      const { device } = await get("/api/camera/phone");
      if (device !== null && device.age_s !== null) watchedBy("phone");
    }),
  );
  showPhonesCard(byId("phones"));
}
