// A phone as the table's camera: shows what its rear camera sees with the markers that the referee finds, and sends
// pictures for as long as this page is open. There is never a queue: the next picture is taken when the answer to the
// one before it says so.

import { t } from "./lib/language.js";
import { Refusal, here, post } from "./lib/api.js";
import { byId } from "./lib/dom.js";
import { MotionDetector } from "./lib/motion.js";

const LONGEST_PX = 1920;
const MOST_BYTES = 3 * 1024 * 1024;
const QUALITIES = [0.85, 0.7, 0.5];
const AGAIN_MS = 1000;
const PATIENCE_MS = 8000;
const REVIVE_MS = 2000;
const BUSY = "Another app uses the camera. Close it, then start again.";
/** Fewer pictures are sent once the camera has shown nothing move for so long. */
const CALM_MS = 2000;

const video = /** @type {HTMLVideoElement} */ (byId("video"));
const marks = /** @type {HTMLCanvasElement} */ (byId("marks"));
const start = /** @type {HTMLButtonElement} */ (byId("start"));
const canvas = document.createElement("canvas");
const motion = new MotionDetector();

/** @type {MediaStream|null} */ let stream = null;
/** @type {WakeLockSentinel|null} */ let awake = null;
let session = "";
let running = 0;
let starting = false;

function advise(text, bad = false) {
  const place = byId("advice");
  place.classList.toggle("bad", bad);
  if (place.textContent !== t(text)) place.textContent = t(text);
}

/** A code stands behind the # of the link, where no log holds it. Without one this phone may be the camera already. */
async function comeIn() {
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(null, "", location.pathname);
    await post("/api/camera/phone/join", { code });
  }
}

function refuseCamera(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError") return "The browser may not use the camera. Allow it in the browser's settings for this page, then start again.";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "This device has no camera that the browser can use.";
  if (name === "NotReadableError") return BUSY;
  return "The camera cannot be started. Reload this page and try again.";
}

async function openCamera() {
  if (!navigator.mediaDevices?.getUserMedia) {
    throw new Refusal(0, { error: "The browser gives the camera to secure pages alone. Scan the code again, and open the link that begins with https." });
  }
  const wanted = { audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: LONGEST_PX }, height: { ideal: 1080 } } };
  let opened;
  try {
    opened = await navigator.mediaDevices.getUserMedia(wanted);
  } catch (error) {
    throw new Refusal(0, { error: refuseCamera(error) });
  }
  const track = opened.getVideoTracks()[0];
  if (track.getSettings().facingMode === "user") {
    track.stop();
    throw new Refusal(0, { error: "This is the front camera, which mirrors the table. Use a phone with a rear camera, or turn to it in the browser's settings." });
  }
  track.addEventListener("ended", lost);
  return opened;
}

/** The camera went away by itself: the screen was locked, or another app took it. It starts again once it is free. */
function lost() {
  pause("The camera was taken away. It starts again by itself once it is free.");
  window.setTimeout(revive, REVIVE_MS);
}

/** Starts a camera that went away, unless the page is hidden: then becoming visible does so. */
function revive() {
  if (!document.hidden && stream?.getVideoTracks()[0].readyState !== "live") begin();
}

async function begin() {
  if (starting) return;
  starting = true;
  await open().finally(() => (starting = false));
}

async function open() {
  start.hidden = true;
  advise("Starting the camera.");
  try {
    stream = await openCamera();
    video.srcObject = stream;
    await video.play();
    session = (await post("/api/camera/phone/start")).session;
  } catch (error) {
    const again = error.message === BUSY || (error instanceof Refusal && error.status === 0 && stream !== null);
    stream?.getTracks().forEach((track) => track.stop());
    pause(error instanceof Refusal ? error.message : refuseCamera(error));
    if (again) window.setTimeout(revive, REVIVE_MS);
    return;
  }
  /** @type {HTMLElement} */ (video.parentElement).hidden = false;
  stayAwake();
  running += 1;
  follow(running);
}

function pause(text) {
  running += 1;
  advise(text, true);
  start.hidden = false;
}

/** Keeps the screen on where the browser can; a browser lets go of this whenever the page is hidden. */
async function stayAwake() {
  try {
    awake = (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    awake = null; // The battery is low, or the browser cannot: the advice to plug it in stands on the page.
  }
}

async function follow(run) {
  while (run === running) {
    let wait = AGAIN_MS;
    let quiet = 0;
    try {
      const picture = document.hidden ? null : await take();
      if (run !== running) return;
      if (picture) {
        motion.look(video);
        const answer = await send(picture);
        show(answer);
        wait = answer.wait_ms;
        quiet = answer.quiet_ms;
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 403 || error.status === 409) {
        pause(error.message);
        return;
      }
      advise(error.message, true);
    }
    await pass(wait);
    for (let passed = wait; passed < quiet && performance.now() - motion.movedAt > CALM_MS; passed += wait) {
      if (motion.look(video)) break;
      await pass(Math.min(wait, quiet - passed));
    }
  }
}

const pass = (ms) => new Promise((done) => window.setTimeout(done, ms));

/** The present picture as a JPEG of bounded size; null if there is none. @returns {Promise<Blob|null>} */
async function take() {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) return null;
  const scale = Math.min(1, LONGEST_PX / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(video, 0, 0, canvas.width, canvas.height);
  for (const quality of QUALITIES) {
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (blob && blob.size <= MOST_BYTES) return blob;
  }
  return null;
}

async function send(picture) {
  let response;
  try {
    response = await fetch(here(`/api/camera/phone/picture?session=${session}`), {
      method: "POST",
      headers: { "Content-Type": "image/jpeg" },
      body: picture,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch {
    throw new Refusal(0, { error: "The table does not answer. Is this phone still in the same network?" });
  }
  const data = await response.json().catch(() => ({ error: "The table's answer was cut off. Try again." }));
  if (!response.ok) throw new Refusal(response.status, data);
  return data;
}

let counted = { since: performance.now(), pictures: 0 };

function show(answer) {
  const { seen } = answer;
  const missing = seen.markers.length ? [0, 1, 2, 3].filter((id) => !seen.markers.includes(id)) : [];
  if (motion.isShaken) advise("Hold it still: put it on a stand.", true);
  else if (seen.blind === null && missing.length) advise(t("Marker {n} is out of view.").replace("{n}", String(missing[0])), true);
  else advise(seen.text, seen.blind !== null);
  draw(seen);
  counted.pictures += 1;
  const passed = performance.now() - counted.since;
  if (passed > 3000) {
    byId("rate").textContent = t("{n} pictures a second are sent.").replace("{n}", String(Math.round((counted.pictures * 10000) / passed) / 10));
    counted = { since: performance.now(), pictures: 0 };
  }
}

/** The corners of the table and their numbers, as the referee found them in the last picture that it read. */
function draw({ markers, corners_px: corners, size_px: size }) {
  const context = /** @type {CanvasRenderingContext2D} */ (marks.getContext("2d"));
  const [width, height] = size ?? [canvas.width, canvas.height];
  const { clientWidth, clientHeight } = video;
  marks.width = clientWidth * window.devicePixelRatio;
  marks.height = clientHeight * window.devicePixelRatio;
  context.clearRect(0, 0, marks.width, marks.height);
  if (!corners || width !== canvas.width || height !== canvas.height) return;
  const scale = Math.min(marks.width / width, marks.height / height);
  const at = ([x, y]) => [(marks.width - width * scale) / 2 + x * scale, (marks.height - height * scale) / 2 + y * scale];
  context.lineWidth = 3 * window.devicePixelRatio;
  context.strokeStyle = "#19d3ff";
  context.beginPath();
  corners.forEach((corner, i) => (i ? context.lineTo(...at(corner)) : context.moveTo(...at(corner))));
  context.closePath();
  context.stroke();
  context.font = ["bold", `${18 * window.devicePixelRatio}px`, "sans-serif"].join(" ");
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (!markers.length) return; // the board alone shows the table
  corners.forEach((corner, i) => {
    const [x, y] = at(corner);
    context.fillStyle = markers.includes(i) ? "#0b7a2a" : "#a3160f";
    context.beginPath();
    context.arc(x, y, 15 * window.devicePixelRatio, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = "#fff";
    context.fillText(String(i), x, y);
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || stream === null) return;
  if (awake === null || awake.released) stayAwake();
  if (stream.getVideoTracks()[0].readyState === "live") video.play().catch(lost);
  else revive();
});
start.addEventListener("click", begin);
try {
  await comeIn();
  await begin();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  pause(error.message);
  start.hidden = true;
}
