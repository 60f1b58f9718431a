// Setting up: a game, its players, its options; or going on with an earlier game. The options come from the game itself.

import { t } from "./lib/language.js";
import { Refusal, get, isHost, mayChange, post } from "./lib/api.js";
import { build, byId, fill, h } from "./lib/dom.js";
import { cameraAnswer, showCameras } from "./parts/cameras.js";
import { playerColors } from "./parts/colors.js";
import { showPhonesCard } from "./parts/phones.js";
import { beginInstead } from "./parts/put-away.js";

const NAMES = Array.from({ length: 10 }, (_, i) => `Player ${i + 1}`);
const PAPERS = [["a4", "A4"], ["a3", "A3"], ["letter", "Letter"]];
const state = { games: [], game: null, names: ["", ""], options: {}, draws: "told", watched: false };
const DRAWS = [
  ["dealt", "The program", "It seals the deal before the first card and proves it at the end; each hand is shown on its player's own phone."],
  ["told", "Real cards, hands entered", "Everybody enters their own cards on their own phone; plays are judged by them."],
  ["unseen", "Real cards, hands hidden", "You enter the plays; what nobody enters is believed."],
];

const WAYS = { camera: "camera", phones: "phones", hand: "by hand" };
const LENGTHS = { short: "short: up to 60 moves", middle: "middle: up to 200 moves", long: "long: more than 200 moves" };

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
        { class: "pick" },
        h("input", { type: "radio", name: "game", value: game.name, checked: game === state.game, "data-key": `game-${game.name}`, onchange: () => choose(game) }),
        h(
          "span",
          { class: "game-card" },
          h("span", { class: "game-picture", "aria-hidden": "true", "data-game": game.name }),
          h("span", { class: "pick-text" }, game.title),
          h("span", { class: "soft" }, seats(game)),
          h("span", { class: "soft" }, LENGTHS[game.length]),
          h("span", { class: "soft" }, listed(game.ways.map((way) => WAYS[way]))),
        ),
      ),
    ),
  );
  hangPictures();
}

const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words[0]);

const seats = (game) => {
  const [least, most] = [game.seats[0], game.seats[game.seats.length - 1]];
  if (least === most) return `${least} ${least === 1 ? "player" : "players"}`;
  if (most - least + 1 === game.seats.length) return `${least} to ${most} players`;
  return `${game.seats.slice(0, -1).join(", ")} or ${most} players`;
};

function choose(game) {
  state.game = game;
  state.options = {};
  leaveHandsUnseen();
  state.draws = game.dealt ? "dealt" : "told";
  while (state.names.length < game.seats[0]) state.names.push("");
  state.names.length = Math.min(state.names.length, game.seats[game.seats.length - 1]);
  showGames();
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
        h("input", { "aria-label": `Name of player ${i + 1}`, value: name, placeholder: NAMES[i], maxlength: "40", list: "known-players", "data-key": `name-${i}`, oninput: (event) => (state.names[i] = event.target.value) }),
        h("button", { type: "button", class: "icon-button", "aria-label": `Move player ${i + 1} up`, disabled: i === 0, "data-key": `up-${i}`, onclick: () => up(i) }, "↑"),
        h("button", { type: "button", class: "icon-button", "aria-label": `Remove player ${i + 1}`, disabled: state.names.length <= least, "data-key": `remove-${i}`, onclick: () => remove(i) }, "×"),
      ),
    ),
  );
  byId("add-player").toggleAttribute("disabled", state.names.length >= most);
}

/** Who has played here before is offered while a name is typed, so that nobody is remembered under two spellings. */
function showKnown(saved) {
  const names = new Map(saved.flatMap((game) => game.names).filter((name) => !NAMES.includes(name)).map((name) => [name.toLowerCase(), name]));
  fill(byId("known-players"), ...[...names.values()].map((name) => h("option", { value: name })));
}

function up(i) {
  [state.names[i - 1], state.names[i]] = [state.names[i], state.names[i - 1]];
  seated();
}

function remove(i) {
  state.names.splice(i, 1);
  seated();
}

/** Other players or another order: options that go by player follow. */
function seated() {
  showPlayers();
  showMat();
  if (state.game.options.some((field) => field.name === "colors" || field.seats)) showOptions();
}

/** Whether an option gives every player a color: `colors` of the game holds those that they have without choosing. */
const byPlayer = (field) => field.name === "colors" && state.game.colors && state.names.length > 1;

function showOptions() {
  const options = state.game.options.filter((field) => field.seats !== "least");
  const fields = options.length ? options.map(option) : [h("p", { class: "soft" }, "This game has no options.")];
  fill(byId("options"), state.game.dealt && deals(), ...fields);
}

/** Who shuffles and deals the cards. */
function deals() {
  const picks = DRAWS.map(([value, title, text]) =>
    h(
      "label",
      { class: "pick" },
      h("input", { type: "radio", name: "draws", value, checked: value === state.draws, onchange: () => (state.draws = value) }),
      h("span", {}, h("span", { class: "pick-text" }, title), h("span", { class: "soft" }, text)),
    ),
  );
  return h("fieldset", {}, h("legend", {}, "Who deals the cards?"), h("div", { class: "choices" }, ...picks));
}

/** A sentence with its rules' numbers as links. */
const linked = (text) =>
  text.split(/\b((?:[A-Z]{2,4}|500)-\d+)\b/).map((part, i) => (i % 2 ? h("a", { href: `/rules/${state.game.name}#${part}` }, part) : part));

function option(field) {
  const id = `option-${field.name}`;
  const sentence = h("p", { class: "soft", id: `${id}-about` }, ...linked(field.sentence));
  const keep = (value) => {
    if (value === field.default) delete state.options[field.name];
    else state.options[field.name] = value;
  };
  const most = field.seats === "most" ? Math.min(field.most, state.names.length) : field.most;
  if (field.seats === "most" && state.options[field.name] > most) delete state.options[field.name];
  const now = state.options[field.name] ?? field.default;
  if (byPlayer(field)) {
    const { usual, pieces, rule } = state.game.colors;
    const words = h("p", { class: "soft" }, ...linked(`The color of each player's ${pieces}. Choosing one that another player has swaps the two. ${rule}.`));
    return playerColors(state.names.length, usual, field, words, keep);
  }
  if (field.kind === "switch") {
    const box = h("input", { type: "checkbox", id, checked: now, "aria-describedby": `${id}-about`, onchange: (event) => keep(event.target.checked) });
    return h("fieldset", {}, h("legend", {}, field.title), sentence, h("div", { class: "option-choices" }, h("label", { class: "pick", for: id }, box, h("span", {}, "On"))));
  }
  if (field.kind === "choice") {
    const picks = field.choices.map((value) =>
      h("label", { class: "pick" }, h("input", { type: "radio", name: id, value: String(value), checked: value === now, onchange: () => keep(value) }), h("span", {}, field.labels?.[value] ?? String(value))),
    );
    return h("fieldset", { "aria-describedby": `${id}-about` }, h("legend", {}, field.title), sentence, h("div", { class: "option-choices" }, ...picks));
  }
  const number = field.kind === "number";
  const input = h("input", { type: number ? "number" : "text", id, value: String(now), min: field.least, max: most, "aria-label": field.title, "aria-describedby": `${id}-about`, onchange: (event) => keep(number ? Number(event.target.value) : event.target.value) });
  return h("fieldset", {}, h("legend", {}, field.title), sentence, input);
}

function showSaved(saved) {
  if (saved.length === 0) {
    fill(byId("saved"), h("p", { class: "soft" }, "There are none yet."));
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

/** Begin the game that the page shows. Whether hands are told follows from the camera, so its answer is waited for. */
async function start() {
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
showSaved(saved);
showKnown(saved);
if (games.length) choose(games[0]);
else fill(byId("games"), h("p", { class: "soft" }, "There is no game that this page can show."));
showPictures();
if (isHost()) {
  showCameras(byId("cameras"), (name) => {
    state.watched = name !== "";
    leaveHandsUnseen();
    showOptions();
  });
  showPhonesCard(byId("phones"));
}
