// The language of this page. Texts are written in English and looked up where they are shown: the whole text, a message with
// parameters in braces (those of one letter stand for one word), then sentence by sentence; what the catalog does not hold stays English. As `web/language/catalog.py`.

/** @type {Record<string, string>} */ const none = {};
export const LANGUAGE = document.documentElement.lang || "en";
const messages = LANGUAGE === "en" ? none : await load();

async function load() {
  try {
    const answer = await fetch(`${document.body?.dataset.root ?? ""}/language/${LANGUAGE}.json`);
    return answer.ok ? (await answer.json()).messages : none;
  } catch {
    return none; // Without its catalog the page speaks English.
  }
}

const REMEMBERED = 4096;
const GAP = /\{(\w+)\}/g;
const said = (text) => text.replace(GAP, "").length;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const pattern = (text) => new RegExp(`^${text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? `(?<${part}>${part.length === 1 ? "[^\\s,]+" : "(?:(?![.?] ).)+?"})` : escaped(part))).join("")}$`, "su");
const open = Object.keys(messages)
  .filter((text) => text.search(GAP) >= 0)
  .sort((a, b) => said(b) - said(a))
  .map((text) => /** @type {[RegExp, string]} */ ([pattern(text), messages[text]]));
/** @type {Map<string, string>} */ const remembered = new Map();

/** A text in the language of this page. @param {string} text @returns {string} */
export function t(text) {
  if (LANGUAGE === "en" || !/\p{L}{2}/u.test(text)) return text;
  let found = remembered.get(text);
  if (found === undefined) {
    found = translated(text);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(text, found);
  }
  return found;
}

/** Where a text that is not known as a whole is cut: between sentences, then within one. */
const CUTS = [/(?<=[.?]) /u, /(?<=[:;,]) /u];

function translated(text) {
  const bare = text.trim();
  return text.replace(bare, () => cut(bare, 0));
}

/** A text as it is known, with or without the sign behind it; else of its parts what is known. */
function cut(text, depth) {
  const whole = lookUp(text) ?? (".:;,".includes(text.at(-1)) ? withSign(text) : null);
  if (whole !== null || depth === CUTS.length) return whole ?? text;
  return text.split(CUTS[depth]).filter(Boolean).map((part) => cut(part, depth + 1)).join(" ");
}

function withSign(text) {
  const found = lookUp(text.slice(0, -1));
  return found === null ? null : `${found}${text.at(-1)}`;
}

function lookUp(text) {
  if (Object.hasOwn(messages, text)) return messages[text];
  for (const [form, message] of open) {
    const match = form.exec(text);
    if (match) return message.replace(GAP, (_, name) => lookUp(match.groups[name]) ?? match.groups[name]);
  }
  return null;
}

/** Show this device another language from now on. @param {string} tag */
export function choose(tag) {
  document.cookie = `companion_language=${tag}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
}
