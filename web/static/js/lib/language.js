// The language of this page. Texts are written in English and looked up where they are shown: the whole text, a message with
// parameters in braces (those of one letter stand for one word, those that begin with "who" for a name), then sentence by sentence; what the catalog does not hold stays English. As `web/language/catalog.py`.

/** @type {Record<string, string>} */ const none = {};
export const LANGUAGE = document.documentElement.lang || "en";
const messages = LANGUAGE === "en" ? none : await load();

async function load() {
  try {
    const answer = await fetch(`${document.body?.dataset.root ?? ""}/language/${LANGUAGE}.json?v=${document.documentElement.dataset.words ?? ""}`);
    return answer.ok ? (await answer.json()).messages : none;
  } catch {
    return none; // Without its catalog the page speaks English.
  }
}

const REMEMBERED = 4096;
const GAP = /\{([a-z]\w*)\}/g;
const said = (text) => text.replace(GAP, "").length;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A message of no more letters says little: it must not swallow what others say better, and keeps to one clause. */
const LITTLE = 16;
const pattern = (text) => new RegExp(`^${text.split(/\{([a-z]\w*)\}/).map((part, i) => (i % 2 ? `(?<${part}>${part.length === 1 ? "[^\\s,]+" : said(text) > LITTLE ? "(?:(?![.?] ).)*?" : "(?:(?![.?:;] ).)*?"})` : escaped(part))).join("")}$`, "su");
/** Messages with parameters: what any text of theirs holds, and the form,
 * made when it is first needed. @type {{words: string[], text: string, form: RegExp|null}[]} */
const open = Object.keys(messages)
  .filter((text) => text.search(GAP) >= 0)
  .sort((a, b) => said(b) - said(a))
  .map((text) => ({ words: text.split(/\{[a-z]\w*\}/).filter(Boolean), text, form: /** @type {RegExp|null} */ (null) }));
/** @type {Map<string, string>} */ const remembered = new Map();

/** Names by seat; the rules know seats alone, and say "player 1". @type {readonly string[]} */
let people = [];
/** A sign of no language stands for a name until the text is translated: so no name is ever taken for a word. */
const FIRST_SIGN = 0xe000;
const SEAT = /\b[Pp]layer ([1-9]\d?)\b/gu;
const SEATED = /^[Pp]layer \d+$/u;
const SIGNS = /[\ue000-\ue063]/gu;

/** Sets the players' names, by seat. @param {readonly string[]} names */
export function nameSeats(names) {
  people = names;
}

/** A text in the language of this page, with the people's names. @param {string} text @returns {string} */
export function t(text) {
  if (!/\p{L}{2}/u.test(text)) return text;
  const asked = text.replace(SEAT, (said, seat) => (people[Number(seat) - 1] === undefined ? said : String.fromCharCode(FIRST_SIGN + Number(seat) - 1)));
  let found = LANGUAGE === "en" ? asked : remembered.get(asked);
  if (found === undefined) {
    found = translated(asked);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(asked, found);
  }
  return asked === text ? found : found.replace(SIGNS, (one) => people[one.charCodeAt(0) - FIRST_SIGN]);
}

/** True if a line of notation says no more than a sentence with its name in front, so that it need not be shown beside it.
 * @param {string} sentence @param {string} line */
export function saysAsMuch(sentence, line) {
  return sentence.endsWith(` ${line}.`) || sentence.startsWith(line) || `${t(line)}.` === t(sentence);
}

/** Where a text that is not known as a whole is cut: between sentences, then within one. */
const CUTS = [/(?<=[.?]) /u, /(?<=[:;,]) /u];

function translated(text) {
  const bare = text.trim();
  return text.replace(bare, () => cut(bare.replace(/\s+/gu, " "), 0));
}

/** A text and the sign behind it; no sign where there is none, or nothing else. @returns {[string, string]} */
const parted = (text) => (text.length > 1 && ".:;,?".includes(text.at(-1)) ? [text.slice(0, -1), text.at(-1)] : [text, ""]);

/** A text as it is known, with or without the sign behind it; else of its parts what is known. */
function cut(text, depth) {
  const last = depth === CUTS.length;
  const whole = lookUp(text);
  if (whole !== null) return whole;
  const [bare, sign] = parted(text);
  const known = (sign ? lookUp(bare) : null) ?? (last ? words(bare) : null);
  if (known !== null || last) return known === null ? text : known + sign;
  return text.split(CUTS[depth]).filter(Boolean).map((part) => cut(part, depth + 1)).join(" ");
}

/** Several words of which each is known, such as "red large"; null if one is not. */
function words(text) {
  const found = text.split(/\s+/u).map((word) => (/\p{L}{2}/u.test(word) ? lookUp(word) : word));
  return found.length > 1 && !found.includes(null) ? found.join(" ") : null;
}

function lookUp(text) {
  const found = message(text);
  const first = text.charAt(0);
  if (found !== null || first === first.toLowerCase()) return found;
  const lower = message(first.toLowerCase() + text.slice(1));
  return lower === null ? null : lower.charAt(0).toUpperCase() + lower.slice(1);
}

function message(text) {
  if (Object.hasOwn(messages, text)) return messages[text];
  const [bare, sign] = parted(text);
  if (sign && Object.hasOwn(messages, bare)) return messages[bare] + sign;
  for (const one of open) {
    if (!one.words.every((word) => text.includes(word))) continue;
    const match = (one.form ??= pattern(one.text)).exec(text);
    if (match) return messages[one.text].replace(GAP, (_, name) => inGap(name, match.groups[name]));
  }
  return null;
}

const LINKS = ["; ", ", ", " and ", " or ", " + "];

/** What stands for a parameter: a name as it is; else what is known, else of a list or of several words each that is known. */
function inGap(name, text) {
  if (name.startsWith("who") && !SEATED.test(text)) return text;
  const trimmed = text.trimStart();
  if (trimmed !== text) return text.slice(0, text.length - trimmed.length) + inGap("", trimmed);
  const known = lookUp(text);
  if (known !== null || !text) return known ?? text;
  const [bare, sign] = parted(text);
  if (sign) return inGap(name, bare) + sign;
  const link = LINKS.find((one) => text.includes(one));
  return link === undefined ? (words(text) ?? text) : text.split(link).map((part) => inGap("", part)).join(Object.hasOwn(messages, link) ? messages[link] : link);
}

/** Show this device another language from now on. @param {string} tag */
export function choose(tag) {
  document.cookie = `companion_language=${tag}; path=/; max-age=31536000; samesite=strict`;
  // Browsers keep a cookie beside the page, in their own time; who reads it back waits until the next request has it.
  void document.cookie;
  location.reload();
}
