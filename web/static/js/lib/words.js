// Numbers and names in words.

/** @param {number} count @param {string} what one of them */
export const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** @param {number} count */
export const points = (count) => `${count} ${Math.abs(count) === 1 ? "point" : "points"}`;

/** @param {string} text */
export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
