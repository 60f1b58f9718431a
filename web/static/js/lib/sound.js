// Sounds that call people to the table. A browser plays none before its page was touched once; the page says everything in words too.

const KEY = "companion-sound";
let context = /** @type {AudioContext|null} */ (null);

/** Whether this device may make sounds; the choice is kept. */
export const soundIsOn = () => localStorage.getItem(KEY) !== "off";

/** @param {boolean} on */
export function setSound(on) {
  localStorage.setItem(KEY, on ? "on" : "off");
}

/** Three falling tones: the referee needs somebody. */
export function callPeople() {
  if (!soundIsOn() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const start = context.currentTime + 0.02;
  [660, 550, 440].forEach((pitch, i) => {
    const tone = context.createOscillator();
    const loud = context.createGain();
    const at = start + 0.22 * i;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    tone.connect(loud).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.21);
  });
}
