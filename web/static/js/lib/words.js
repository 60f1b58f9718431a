// Numbers in words.

/** @param {number} count */
export const points = (count) => `${count} ${Math.abs(count) === 1 ? "point" : "points"}`;
