// The sounds or the speech of this device, for which events, kept per device. A browser plays nothing before its page was
// touched once; the page says everything in words, too. Where no voice is installed, sounds stand in for speech.

import { LANGUAGE, t } from "./language.js";

const KEY = "companion-heard";
/** The events that can be heard, with the words of their switches. */
export const EVENTS = { illegal: "A move that is not allowed", question: "A question", turn: "Whose turn it is", end: "The end of the game" };
/** @typedef {{voice: "sounds"|"speech"|"silent", illegal: boolean, question: boolean, turn: boolean, end: boolean}} Heard */

/** Pitches in hertz, one tone after the other. */
const TONES = { illegal: [392, 262], question: [440, 587], turn: [523], end: [523, 659, 784], call: [660, 550, 440] };
let context = /** @type {AudioContext|null} */ (null);
let playing = 0;

/** The choice of this device. @returns {Heard} */
export function heard() {
  /** @type {any} */ let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    // An unreadable choice counts as none.
  }
  return { voice: ["sounds", "speech", "silent"].includes(kept?.voice) ? kept.voice : "sounds", ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, kept?.[name] !== false])) };
}

/** @param {Partial<Heard>} change */
export function setHeard(change) {
  localStorage.setItem(KEY, JSON.stringify({ ...heard(), ...change }));
}

/** True if this device may make any sound. */
export const soundIsOn = () => heard().voice !== "silent";

/** @param {boolean} on */
export const setSound = (on) => setHeard({ voice: on ? "sounds" : "silent" });

/** True if this device has a voice. */
export const canSpeak = () => (window.speechSynthesis?.getVoices() ?? []).length > 0;

/** Let an event be heard, as this device has chosen. @param {keyof EVENTS} name @param {string} words */
export function tellAloud(name, words) {
  const choice = heard();
  if (choice[name]) aloud(choice.voice, TONES[name], words);
}

/** The referee needs somebody: three falling tones, or the words. @param {string} words */
export const callPeople = (words) => aloud(heard().voice, TONES.call, words);

function aloud(voice, tones, words) {
  if (voice === "silent" || !navigator.userActivation?.hasBeenActive) return;
  if (voice === "speech" && canSpeak()) speak(words);
  else play(tones);
}

function speak(words) {
  const spoken = new SpeechSynthesisUtterance(t(words));
  spoken.lang = LANGUAGE;
  speechSynthesis.speak(spoken);
}

function play(pitches) {
  context ??= new AudioContext();
  const speaker = context;
  speaker.resume();
  playing += pitches.length;
  const start = speaker.currentTime + 0.02;
  pitches.forEach((pitch, i) => {
    const tone = speaker.createOscillator();
    const loud = speaker.createGain();
    const at = start + 0.22 * i;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    tone.connect(loud).connect(speaker.destination);
    tone.start(at);
    tone.stop(at + 0.21);
    tone.onended = () => {
      playing -= 1;
      if (playing === 0) speaker.suspend(); // a phone that plays silence all evening is soon empty
    };
  });
}
