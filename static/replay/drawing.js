// Draws a position: the table, the sheet as it stood, the moves of the deal.

import { match, moves, sheet, table, wide } from "./page.js";

const drawn = new Map(); // element -> the text it was drawn from

/** Draw a position. frames: those of its deal. */
export function draw(frames, { move, seat }) {
  table.className = table.className.replace(/viewer-\d/, `viewer-${seat ?? 0}`);
  morph(table, frames.tables.get(move).html);
  morph(sheet, frames.sheets.findLast(([from]) => from <= move)[1]);
  morph(moves, frames.moves);
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  moves.querySelector(`[data-move="${move}"]`)?.setAttribute("aria-current", "step");
  if (match.hides) for (const line of moves.querySelectorAll("[data-move]")) line.hidden = line.dataset.move > move;
  keepInSight();
}

function morph(target, text) {
  // Keeps the elements that stay, and with them the focus and the place scrolled to.
  if (drawn.get(target) === text) return;
  drawn.set(target, text);
  htmx.swap({ sourceElement: target, target, text, swap: "innerMorph" });
}

/** Scroll sheet and moves, each in its own box, to what is current. */
export function keepInSight() {
  if (!wide.matches) return; // there the page scrolls, and stays where its reader is
  const boxes = [
    [sheet.querySelector(".scroll"), [...sheet.querySelectorAll(".current, .scored")].at(-1)],
    [moves, moves.querySelector("[aria-current]")],
  ];
  for (const [box, line] of boxes) {
    if (!line) continue;
    const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
    const margin = 2.5 * inner.height;
    if (inner.top < outer.top + margin) box.scrollTop -= outer.top + margin - inner.top;
    else if (inner.bottom > outer.bottom - margin) box.scrollTop += inner.bottom - outer.bottom + margin;
  }
}
