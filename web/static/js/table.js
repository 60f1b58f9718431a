// The table's page: one store, one board, and the parts around it.

import { t } from "./lib/language.js";
import { Refusal, get, mayChange, post } from "./lib/api.js";
import { byId, fill, h } from "./lib/dom.js";
import { keepPresses } from "./lib/press.js";
import { revealDecisions, showMore } from "./lib/reveal.js";
import { say } from "./lib/say.js";
import { Store, showState } from "./lib/store.js";
import { points } from "./lib/words.js";
import { forget } from "./parts/agreement.js";
import { ruleLine, showAlert } from "./parts/alert.js";
import { dressBar, showError, showRefusal } from "./parts/bar.js";
import { showBlind } from "./parts/blind.js";
import { showClock } from "./parts/clock.js";
import { showDoubts } from "./parts/doubts.js";
import { Board } from "./parts/board.js";
import { CellPanel } from "./parts/cell.js";
import { showEnding } from "./parts/ending.js";
import { showHands } from "./parts/hands.js";
import { startHeard } from "./parts/heard.js";
import { History } from "./parts/history.js";
import { showLesson } from "./parts/lesson.js";
import { Picture } from "./parts/picture.js";
import { Replay } from "./parts/replay.js";
import { Scores } from "./parts/scores.js";
import { showPlayback } from "./parts/playback.js";
import { showDeparture } from "./parts/departure.js";
import { showSetupNote } from "./parts/setup-note.js";
import { offerTab, startTabs } from "./parts/tabs.js";
import { Trial } from "./parts/trial.js";
import { showTurn } from "./parts/turn.js";
import { goTo, startViews } from "./parts/views.js";

const store = new Store();
const game = document.body.dataset.game ?? "";
/** The address of a game's own panel below the board; without one it takes the panel for cells. */
const panel = document.body.dataset.panel ?? "";
const Panel = panel ? (await import(panel)).GamePanel : CellPanel;
const present = Boolean(byId("board-place"));

/** The cell that was tapped last: a second tap plays what it stands for, if that is one move. */
let tapped = /** @type {string|null} */ (null);

/** The person's choice on this page; other screens do not show it. */
const chosen = { /** @type {string|null} */ piece: null, all: false };

showState(store, byId("state"));
keepPresses();

if (!present) {
  // No game yet: as soon as one is started anywhere, show it.
  store.on("data", ({ data }) => data.game && location.reload());
} else {
  startTabs();
  startHeard(store);
  startViews();
  revealDecisions(byId("work"));
  for (const scroller of [byId("work"), byId("bar"), byId("view-scores"), ...document.querySelectorAll(".tab-panel")]) showMore(scroller);
  const board = new Board(byId("board-place"), async (spot, byKey) => {
    if (replay.n !== null || !(await cell.learned()) || replay.n !== null) return;
    const again = tapped === spot && cell.spot !== null;
    tapped = spot;
    if (!(again && cell.tappedAgain())) cell.open(spot, chosen.piece, byKey);
  });
  const trial = new Trial(byId("board-place"));
  const cell = new Panel(store, {
    tell: (event) => tell({ expected: cell.seen, ...event }),
    // A roll that is due is offered in the bar.
    chance: () => (store.data.turn.kind === "roll" ? null : byChance()),
    /** Sets the places that the panel has lit for the keys to walk through. */
    aim: (aims) => {
      board.aims = aims;
    },
    mark: (spot) => {
      trial.clear();
      board.mark(spot);
    },
    tryOut: (...piece) => trial.show(...piece),
    redraw: () => tools(),
    back: () => {
      cell.rest();
      byId("work").scrollTop = 0; // to what is to be decided
      board.focus();
      drawBoard();
    },
  });
  const replay = new Replay(store, {
    board: (tree) => board.show(tree),
    moved: () => {
      history.show(replay.n);
      tools();
    },
    undo: (to) => history.askUndo(to),
    end: () => {
      drawBoard();
      history.show(null);
      tools();
      board.focus();
    },
  });
  const history = new History(store, {
    look: (n) => {
      cell.rest();
      goTo("view-board");
      replay.go(n);
    },
    undo: async (to, why) => {
      const done = await command("undo", { to, why });
      if (done && replay.n !== null) replay.end();
      return done;
    },
  });
  const scores = new Scores(store);
  const picture = new Picture(byId("picture"), store, { near: true, turned: true });

  const answers = {
    putBack: async () => {
      try {
        await post("/api/eyes/look");
        say("Looking once more.");
      } catch (error) {
        failed(error);
      }
    },
    misread: async () => (await command("misread")) && forget(),
    agree: () => command("agree"),
    choose: (choice) => command("answer", { choice }),
    asSeen: async (seen) => (await command("as-seen", seen)) && forget(),
    undo: (to) => history.askUndo(to),
  };

  /** Send a command about what this page shows; the stream brings the result. */
  async function command(name, body = {}) {
    try {
      await post(`/api/table/${name}`, { expected: store.data.seq, ...body });
      showError("");
      return true;
    } catch (error) {
      await failed(error);
      return false;
    }
  }

  const failed = (error) => showRefusal(store, error);

  /** Returns the command that lets the program roll or draw; null where a camera watches the dice or the bag. */
  const byChance = () => (mayChange() && store.eyes?.state === "off" ? (seat = null) => command("chance", { seat }) : null);

  async function tell(event) {
    const done = await command("play", event);
    if (done) {
      chosen.piece = null;
      cell.rest();
    }
    return done;
  }

  async function drawBoard() {
    if (replay.n !== null) return;
    board.aims = Boolean(chosen.piece);
    const version = store.data.version;
    if (store.data.turn.kind === "move" && (chosen.piece || chosen.all)) {
      try {
        const piece = chosen.piece;
        const found = await get("/api/table/moves", { piece });
        if (replay.n !== null || store.data.version !== version || chosen.piece !== piece) return;
        board.show(found.board);
        if (piece) {
          cell.fits(piece, found.spots);
          say(byId("cell").textContent ?? "");
        }
        return;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        showError(error.message); // not `failed`: the state it fetches would be drawn here again
      }
    }
    board.show(store.data.board);
    cell.decorate?.();
  }

  async function choose(code) {
    const byKey = document.activeElement?.matches("#hands :focus-visible");
    chosen.piece = code;
    cell.rest();
    if (byId("hands")) showHands(store, chosen.piece, { choose, tell });
    await drawBoard();
    if (byKey && code && chosen.piece === code) board.focusDestination();
  }

  /** One step back: from the place to the piece, from the piece to nothing. */
  function stepBack() {
    if (cell.stepBack?.()) return;
    if (chosen.piece) {
      const { piece } = chosen;
      choose(null);
      /** @type {HTMLElement|null} */ (document.querySelector(`#hands [data-key="piece-${CSS.escape(piece)}"]`))?.focus();
    }
  }

  function tools() {
    const all = h("button", { type: "button", class: "small", "data-key": "all-moves", "aria-pressed": String(chosen.all) }, "Show all moves");
    all.addEventListener("click", () => {
      chosen.all = !chosen.all;
      tools();
      drawBoard();
    });
    fill(byId("board-tools"), replay.n === null && !panel && store.data?.turn?.kind === "move" && all, ...(cell.tools?.() ?? []));
    const marks = h("button", { type: "button", class: "small", "data-key": "marks", "aria-pressed": String(picture.marks) }, "What was read");
    marks.addEventListener("click", () => {
      picture.marks = !picture.marks;
      picture.status();
      tools();
    });
    const near = h("button", { type: "button", class: "small", "data-key": "near", "aria-pressed": String(picture.near) }, "Table only");
    near.addEventListener("click", () => {
      picture.near = !picture.near;
      picture.status();
      tools();
    });
    const enlarge = h("button", { type: "button", class: "small", "data-key": "enlarge", onclick: () => picture.enlarge(byId("picture-tools"), tools) }, "Enlarge");
    fill(byId("picture-tools"), !picture.full && enlarge, store.eyes?.overlay && marks, store.eyes?.corners_px && near);
  }

  store.on("data", ({ before, data }) => {
    if (!data.game || data.game.name !== game) {
      location.reload();
      return;
    }
    if (before?.game && before.game.id !== data.game.id) {
      chosen.piece = null;
      if (replay.n !== null) replay.end();
      say(`A new game of ${data.game.title} has begun.`);
    }
    if (before && before.seq !== data.seq) showError("");
    if (before?.seq !== data.seq) {
      chosen.piece = null;
      cell.rest();
      byId("work").scrollTop = 0;
    }
    showTurn(store, tell, byChance(), !Panel.ownDraws);
    showBlind(store);
    showPlayback(store);
    showLesson(store);
    showSetupNote(store);
    showDeparture(store);
    showAlert(store, answers);
    dressBar(store);
    offerTab("tab-camera", store.eyes.state !== "off");
    showDoubts(store, (place, choice) => command("doubt", { place, choice }));
    if (byId("hands")) showHands(store, chosen.piece, { choose, tell });
    cell.learn();
    scores.show();
    showEnding(store);
    showClock(store);
    history.show(replay.n);
    drawBoard();
    tools();
  });
  store.on("eyes", () => {
    if (!store.data?.game) return;
    showBlind(store);
    showPlayback(store);
    showLesson(store);
    showSetupNote(store);
    showDeparture(store);
    if (!store.data.alert) showAlert(store, answers);
    dressBar(store);
    offerTab("tab-camera", store.eyes.state !== "off");
    tools();
  });
  store.on("row", (row) => {
    if (row.n > (store.data?.seq ?? 0)) cell.busy(true);
    if (store.data?.game) history.show(replay.n); // before the position is there
    const scored = row.points == null ? "" : ` ${points(row.points)}.`;
    if (row.kind !== "refused" && row.kind !== "asked") say(`Row ${row.n}. ${row.sentence}${scored}`);
  });

  byId("typed")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const input = byId("typed-text");
    const answer = byId("typed-answer");
    if (!input.value.trim()) return;
    answer.className = "answer";
    answer.textContent = "";
    if (await command("play", { text: input.value })) {
      input.value = "";
      answer.className = "answer good";
      answer.textContent = t("Taken.");
    }
  });

  byId("typed-ask")?.addEventListener("click", async () => {
    const answer = byId("typed-answer");
    const text = byId("typed-text").value;
    if (!text.trim()) return;
    try {
      const found = await get("/api/advice/verdict", { text });
      answer.className = found.legal ? "answer good" : "answer bad";
      fill(answer, h("p", {}, `${found.legal ? "Allowed" : "Not allowed"}: ${found.sentence}`), ...found.breaches.map(ruleLine), found.problem && h("p", {}, found.problem));
    } catch (error) {
      failed(error);
    }
  });

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && replay.n === null && !document.querySelector("dialog[open]")) stepBack();
  });

  tools();
  cell.rest();
  if (!mayChange()) document.body.classList.add("reader");
}

store.start();
