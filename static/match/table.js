// The table on the page, drawn anew frame by frame: from the socket, or out of a page that was fetched. What is drawn
// next, and when, frames.js says.
//
// Tells by events on document, "table:leave" before a new table is drawn and "table:drawn" after it, with a detail of
// {frame, moves}: the new frame, and how many moves the table before it stood for. "page:drawn" comes before the latter
// where the whole page was drawn anew. Who takes time to show what is new sets `lasts` in the detail, in milliseconds.

import { setting } from "../site/settings.js";
import { Frames } from "./frames.js";

export const match = document.querySelector("[data-match]");
export const address = `/matches/${match.dataset.match}/`;

const frames = new Frames();
let taken = 0; // moves that the newest frame stands for, drawn or not
let drawing = false;
let timer = 0;

/** What a table says of itself. `at`: when it came, on the clock of performance.now(). */
function read(root) {
  const { revision = -1, moves = 0, status = "" } = root.querySelector("[data-revision]")?.dataset ?? {};
  const { say = "" } = root.querySelector("[data-say]")?.dataset ?? {};
  return { revision: Number(revision), moves: Number(moves), status, say, at: performance.now() };
}

/** The part of the table that is this seat's alone; nothing before the match has begun. */
export const mine = () => document.getElementById("mine");

/** What the table on the page stands for. */
export const shown = () => read(document.getElementById("table"));

/** How many moves this page has been told of. What comes next tells of those after them. */
export const seen = () => Math.max(taken, shown().moves);

/** Call `callback` now and after every new table. `moves` is null the first time. */
export function whenDrawn(callback) {
  document.addEventListener("table:drawn", ({ detail }) => callback(detail));
  callback({ frame: shown(), moves: null });
}

/** Draw this inside of #table, as soon as it may be drawn. */
export function show(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const frame = { ...read(template.content), html };
  taken = Math.max(taken, frame.moves);
  frames.add(frame);
  drawWaiting();
}

/** Look no longer at the finished trick. */
export function endHold() {
  frames.endHold();
  drawWaiting();
}

/** Draw the frames that may be drawn now, and come back for the others when their time has come. */
async function drawWaiting() {
  if (drawing) return;
  drawing = true;
  clearTimeout(timer);
  try {
    let delay;
    while ((delay = untilNext()) === 0) await drawNext();
    if (delay !== null) timer = setTimeout(drawWaiting, delay);
  } finally {
    drawing = false;
  }
}

function untilNext() {
  const finished = Boolean(document.querySelector("#felt .slot.finished"));
  return frames.delay(performance.now(), { moves: shown().moves, finished, hold: setting("hold") });
}

async function drawNext() {
  const before = shown();
  const frame = frames.take(before);
  if (!frame) return;
  const detail = { frame, moves: before.moves };
  document.dispatchEvent(new CustomEvent("table:leave", { detail }));
  await draw(detail);
  document.dispatchEvent(new CustomEvent("table:drawn", { detail }));
  if (detail.frame.moves > before.moves) frames.played(performance.now() + (detail.lasts ?? 0));
}

async function draw(detail) {
  const { frame, moves } = detail;
  if (frame.status !== match.dataset.status && (await drawPage(moves))) detail.frame = shown(); // or a newer one
  else await htmx.swap({ sourceElement: match, target: "#table", swap: "innerMorph", text: frame.html });
}

/** The match has begun or ended: what is around the table changes too. Returns whether it could be fetched.
    moves: what the table stood for before; the new one tells what has happened since. */
async function drawPage(moves) {
  const response = await fetch(`${address}?seen=${moves}`).catch(() => null);
  if (!response?.ok) return false;
  const text = await response.text();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  await htmx.swap({ sourceElement: match, target: document.body, swap: "outerMorph", text });
  document.dispatchEvent(new Event("page:drawn"));
  return true;
}

document.addEventListener("pointerdown", ({ target }) => {
  if (target.closest("#table")) frames.fingerDown(performance.now());
});
for (const type of ["pointerup", "pointercancel"]) {
  // A click comes after its pointerup, and must still find the table that it was meant for.
  document.addEventListener(type, () =>
    setTimeout(() => {
      frames.fingerUp();
      drawWaiting();
    }),
  );
}
document.addEventListener("click", ({ target }) => {
  if (target.closest(".ring")) endHold();
});
