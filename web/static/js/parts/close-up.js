// Small boards that look alike: each is cut to the part where what they show differs, the same part in all.

const SHOWN = ".ghost, .changed-sign, .refused-sign";
/** Room around what differs, and the least that is shown, as shares of the board's longer side. */
const AROUND = 0.05;
const LEAST = 0.26;

/** @param {SVGSVGElement[]} boards that are in the page, of one drawing. */
export function closeUp(boards) {
  const first = boards[0];
  const toDrawing = first?.getScreenCTM()?.inverse();
  if (!toDrawing || first.getBoundingClientRect().width === 0) return;
  const corners = boards.flatMap((board) => {
    const inverse = board.getScreenCTM().inverse();
    return [...board.querySelectorAll(SHOWN)]
      .map((one) => one.getBoundingClientRect())
      .filter((box) => box.width > 0)
      .flatMap((box) => [new DOMPoint(box.left, box.top), new DOMPoint(box.right, box.bottom)])
      .map((corner) => corner.matrixTransform(inverse));
  });
  if (!corners.length) return;
  const whole = first.viewBox.baseVal;
  const side = Math.max(whole.width, whole.height);
  const [left, right] = [Math.min(...corners.map((one) => one.x)), Math.max(...corners.map((one) => one.x))];
  const [top, bottom] = [Math.min(...corners.map((one) => one.y)), Math.max(...corners.map((one) => one.y))];
  const wanted = Math.max(right - left + 2 * AROUND * side, bottom - top + 2 * AROUND * side, LEAST * side);
  if (wanted >= Math.min(whole.width, whole.height)) return;
  const x = Math.min(Math.max((left + right - wanted) / 2, whole.x), whole.x + whole.width - wanted);
  const y = Math.min(Math.max((top + bottom - wanted) / 2, whole.y), whole.y + whole.height - wanted);
  for (const board of boards) board.setAttribute("viewBox", `${x} ${y} ${wanted} ${wanted}`);
}
