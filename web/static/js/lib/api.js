// Questions and commands to the server. A refusal carries the server's sentence and, for a move, the broken rules.

export class Refusal extends Error {
  /** @param {number} status @param {{error: string, rule?: string, breaches?: any[]}} data */
  constructor(status, data) {
    super(data.error);
    this.status = status;
    this.breaches = data.breaches ?? [];
  }
}

/** An address of this table: a lesson is a table of its own, below an address of its own. @param {string} path */
export const here = (path) => `${document.body.dataset.root ?? ""}${path}`;

async function answer(response) {
  let data = null;
  try {
    data = await response.json();
  } catch {
    if (response.ok) throw new Refusal(0, { error: "The table's answer was cut off. Try again." });
  }
  if (!response.ok) throw new Refusal(response.status, data ?? { error: "The server gave no answer. Try again." });
  return data;
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(here(path), options);
  } catch {
    throw new Refusal(0, { error: "The table cannot be reached. Check the network and try again." });
  }
  return answer(response);
}

/** @param {string} path @param {Record<string, string|number|null|undefined>} [query] */
export function get(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null && value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return ask(text ? `${path}?${text}` : path, { headers: { Accept: "application/json" } });
}

/** @param {string} path @param {any} [body] */
export function post(path, body = {}) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** True if this browser may change the table. */
export const mayChange = () => document.body.dataset.role !== "reader";
export const isHost = () => document.body.dataset.role === "host";
