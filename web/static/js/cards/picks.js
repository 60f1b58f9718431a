// The cards that a person has tapped, and the moves that they make: each move has gaps, and tapped cards fill them in their order.

/** @typedef {{spot: string, zone: string, code: string|null, seat?: number}} Picked a card of a hand has its seat */

/** The place and the card of a spot: "meld.2.R7" is R7 at "meld.2"; a pile is a place without a card. @returns {Picked} */
export function pickOf(spot) {
  const found = /^(.*)\.((?:RO|OY|YG|GB|BP|PR|R|O|Y|G|B|P)(?:1[0-2]|[1-9]))$/.exec(spot);
  return found ? { spot, zone: found[1], code: found[2] } : { spot, zone: spot, code: null };
}

const within = (zone, name) => zone === name || zone.startsWith(`${name}.`) || (new RegExp(`^${name}\\d+$`).test(zone));

/** By gap, the picks that fill it; null if they do not fit the gaps. `whole`: whether every gap must have enough. */
function filled(act, picks, whole) {
  const rest = [...picks];
  const gaps = [];
  for (const gap of act.picks ?? []) {
    const taken = [];
    for (let i = 0; i < rest.length && taken.length < (gap.most ?? 1); ) {
      const own = rest[i].seat === undefined || rest[i].seat === act.seat;
      const fits = own && gap.zones.some((name) => within(rest[i].zone, name)) && (gap.says === "number" || rest[i].code !== null);
      if (fits) taken.push(...rest.splice(i, 1));
      else i += 1;
    }
    if (whole && taken.length < (gap.least ?? 1)) return null;
    gaps.push(taken);
  }
  return rest.length ? null : gaps;
}

/** True if more taps could turn these picks into this move. */
export const couldBe = (act, picks) => filled(act, picks, false) !== null;

/** True if a move needs more taps than these. */
export const needsMore = (act, picks) => couldBe(act, picks) && filled(act, picks, true) === null;

/** The move as notation writes it; null if picks or fields are missing. @param {Record<string, string>} values of fields */
export function textOf(act, picks, values) {
  const gaps = filled(act, picks, true);
  if (!gaps) return null;
  let text = act.text;
  for (const [i, gap] of (act.picks ?? []).entries()) {
    const said = gap.says === "number" ? /(\d+)(?!.*\d)/.exec(gaps[i][0]?.zone ?? "")?.[1] : gaps[i].map((pick) => pick.code).join(", ");
    text = text.replace(`{${i}}`, said || gap.none || "nothing");
  }
  for (const field of act.fields ?? []) {
    const value = values[`${act.key}-${act.seat}-${field.name}`] ?? field.value ?? "";
    if (value === "") return null;
    text = text.replace(`{${field.name}}`, value);
  }
  return text;
}

/**
 * One more tap: what was tapped is left, else it joins what it can still make a move with, the oldest taps going first.
 * @param {any[]} acts @param {Picked[]} picks @param {Picked} fresh
 */
export function tapped(acts, picks, fresh) {
  const there = picks.findIndex((one) => one.spot === fresh.spot);
  if (there >= 0) return picks.filter((_, i) => i !== there);
  for (let gone = 0; gone <= picks.length; gone += 1) {
    const same = picks.filter((one) => one.zone === fresh.zone);
    const kept = picks.filter((one) => one.zone !== fresh.zone);
    const tries = [[...picks.slice(gone), fresh], [...kept, ...same.slice(gone), fresh]];
    // Others of the same place give way before those of other places do.
    for (const one of gone <= same.length ? tries.reverse() : tries) if (acts.some((act) => couldBe(act, one))) return one;
  }
  return acts.some((act) => couldBe(act, [fresh])) ? [fresh] : picks;
}
