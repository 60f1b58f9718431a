// What is wrong with a table's page that should fit its window, as a list of sentences; nothing is changed.
async (situation, width) => {
  while (innerWidth !== width) await new Promise((next) => setTimeout(next, 5));
  const problems = [];
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight) problems.push(`the page is ${root.scrollHeight} px high in a window of ${innerHeight}`);
  if (root.scrollWidth > innerWidth) problems.push(`the page is ${root.scrollWidth} px wide in a window of ${innerWidth}`);
  const inView = (element, what) => {
    if (!element || !element.checkVisibility()) {
      problems.push(`${what} is not there`);
      return;
    }
    const box = element.getBoundingClientRect();
    const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
    const front = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!inside || !(element.contains(front) || front?.contains(element))) problems.push(`${what} is out of view`);
  };
  const one = (selector) => document.querySelector(selector);
  if (situation !== "alert" && situation !== "question") inView(one("#turn .turn-text"), "whose turn it is");
  inView(one("#board-place > svg"), "the board");
  if (situation === "alert") {
    inView(one("#alert.refused h2"), "the alert");
    inView(one("#alert .answers .primary"), "the answer that puts it right");
  } else if (situation === "question") {
    inView(one("#alert.unclear h2"), "the question");
    inView(one("#alert .choice"), "its first answer");
  } else if (one("#strip-actions .primary")) inView(one("#strip-actions .primary"), "the one thing to do");
  if (situation === "end") inView(one("#strip-actions .primary"), "what comes after the end");
  const main = [...document.querySelectorAll("#bar .primary")].filter((button) => button.checkVisibility());
  if (main.length > 1) problems.push(`${main.length} buttons of the bar stand out`);
  const sizes = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("svg, .hidden, script, noscript") || !element.checkVisibility()) continue;
    sizes.add(getComputedStyle(element).fontSize);
  }
  if (sizes.size > 3) problems.push(`type has ${sizes.size} sizes: ${[...sizes].join(", ")}`);
  const board = one("#board-place").getBoundingClientRect();
  const least = innerWidth < 900 ? 0.15 : situation === "question" ? 0.25 : 0.3;
  if (board.width * board.height < least * innerWidth * innerHeight) problems.push(`the board has ${Math.round((100 * board.width * board.height) / (innerWidth * innerHeight))} percent of the window`);
  return problems;
}
