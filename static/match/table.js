// The table as it comes, frame by frame, from the socket or out of a page that was fetched: what is old is dropped, a
// finished trick is looked at first, nothing moves under a finger.
//
// Tells by events on document, "table:leave" before a new table is drawn and "table:drawn" after it, with a detail of
// {frame, moves}: the new frame, and how many moves the table before it stood for. "page:drawn" comes before the latter
// where the whole page was drawn anew. Who takes time to show what is new sets `lasts` in the detail, in milliseconds.

import { setting } from "../site/settings.js";

const HOLDS = { fast: 500, normal: 1000, slow: 1800 }; // milliseconds that a finished trick stays
const BEHIND = 2; // so many frames may wait; if there are more, the newest is drawn at once
const FINGER = 3000; // milliseconds after which a finger that is still down on the table no longer counts

export const match = document.querySelector("[data-match]");
export const address = `/matches/${match.dataset.match}/`;

const waiting = [];
let drawing = false;
let drawnAt = -Infinity;
let release = () => {};
let fingerDownAt = null;

/** What the first element of a table says of it. `at`: when it came, on the clock of performance.now(). */
function read(root) {
  const { revision = -1, moves = 0, status = "", say = "" } = root.querySelector("[data-revision]")?.dataset ?? {};
  return { revision: Number(revision), moves: Number(moves), status, say, at: performance.now() };
}

/** The part of the table that is this seat's alone; nothing before the match has begun. */
export const mine = () => document.getElementById("mine");

/** What the table on the page stands for. */
export const shown = () => read(document.getElementById("table"));

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
  if (frame.revision < waiting.at(-1)?.revision) return;
  waiting.push(frame);
  if (waiting.length > BEHIND) release();
  drawWaiting();
}

/** Look no longer at the finished trick. */
export function endHold() {
  drawnAt = -Infinity;
  release();
}

async function drawWaiting() {
  if (drawing) return;
  drawing = true;
  try {
    while (waiting.length) {
      await hold();
      await fingerUp();
      const before = shown();
      const frame = next(before);
      if (frame.revision < before.revision) continue;
      const detail = { frame, moves: before.moves };
      document.dispatchEvent(new CustomEvent("table:leave", { detail }));
      await draw(frame);
      document.dispatchEvent(new CustomEvent("table:drawn", { detail }));
      if (frame.moves > before.moves) drawnAt = performance.now() + (detail.lasts ?? 0);
    }
  } finally {
    drawing = false;
  }
}

/** The frame to draw now. Those that are jumped over leave it their sentences. */
function next({ moves }) {
  const taken = waiting.splice(0, waiting.length > BEHIND ? waiting.length : 1);
  const sentences = [];
  for (const frame of taken) {
    if (frame.moves > moves && frame.say) sentences.push(frame.say); // else they are known already
    moves = Math.max(moves, frame.moves);
  }
  return { ...taken.at(-1), say: sentences.join(" ") };
}

async function draw(frame) {
  if (frame.status !== match.dataset.status && (await drawPage())) return;
  await htmx.swap({ sourceElement: match, target: "#table", swap: "innerMorph", text: frame.html });
}

/** The match has begun or ended: what is around the table changes too. Returns whether it could be fetched. */
async function drawPage() {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return false;
  const text = await response.text();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  await htmx.swap({ sourceElement: match, target: document.body, swap: "outerMorph", text });
  document.dispatchEvent(new Event("page:drawn"));
  return true;
}

// What a new table waits for

/** Until a finished trick has been seen, if the next frame takes it away. */
function hold() {
  const left = drawnAt + HOLDS[setting("hold")] - performance.now();
  const finished = document.querySelector("#felt .slot:is(.winner, .burnt)");
  if (left <= 0 || !finished || waiting.length > BEHIND || waiting[0].moves <= shown().moves) return null;
  return new Promise((resolve) => {
    release = resolve;
    setTimeout(resolve, left);
  });
}

async function fingerUp() {
  while (fingerDownAt !== null && performance.now() - fingerDownAt < FINGER) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

document.addEventListener("pointerdown", ({ target }) => {
  if (target.closest("#table")) fingerDownAt = performance.now();
});
for (const type of ["pointerup", "pointercancel"]) {
  // A click comes after its pointerup, and must still find the table that it was meant for.
  document.addEventListener(type, () => setTimeout(() => (fingerDownAt = null)));
}
document.addEventListener("click", ({ target }) => {
  if (target.closest(".ring")) endHold();
});
