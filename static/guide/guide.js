// A first deal with a guide: one note at a time, beside what it speaks of, until the reader has it or has moved on.

import { match, whenDrawn } from "../match/table.js";
import { say } from "../match/voice.js";
import { read, write } from "../site/storage.js";

const NEEDED = "#felt .slot.filled, #felt .plaque, #sentence, #hand .card, #bid-box, #mine .result table, #mine .result .buttons, .match-bar";
const SOON = 300; // milliseconds
const FRAME = 5; // pixels around what a note speaks of
const GAP = 14; // pixels between a note and what it points at
const EDGE = 8; // and between it and the edge of the window
const SEEN = `guide.${match.dataset.match}`;

const between = (least, number, most) => Math.max(least, Math.min(number, most));

let shown = null; // the name of the note that is shown
let pointedAt = []; // the elements that it speaks of

const seen = new Set(read("sessionStorage", SEEN, []));

whenDrawn(draw);

function draw() {
  if (document.querySelector("#table.arriving")) {
    setTimeout(draw, SOON); // cards are still on their way
    return;
  }
  const notes = [...document.querySelectorAll("#guide-notes [data-note]")];
  if (shown && !notes.some(({ dataset }) => dataset.note === shown)) keep(shown); // the reader has moved on
  const note = hasRoom() ? notes.find(({ dataset }) => !seen.has(dataset.note)) : undefined;
  const before = shown;
  shown = note?.dataset.note ?? null;
  pointedAt = note ? thingsOf(note) : [];
  document.getElementById("guide").hidden = !note;
  document.getElementById("guide-frame").hidden = !pointedAt.length;
  if (!note) return;
  document.getElementById("guide-words").textContent = note.textContent;
  place();
  if (shown !== before) say(note.textContent);
}

/** Whether one more note may be read: the last few are kept for the result. */
function hasRoom() {
  const room = Number(document.getElementById("guide-notes")?.dataset.room);
  return seen.size < room || document.querySelector("#mine .result");
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest("#guide-next")) return;
  keep(shown);
  draw();
  if (!shown) document.getElementById("sentence")?.focus({ preventScroll: true });
});

// What it speaks of has come to rest elsewhere: cards are dealt in and lifted, and fonts arrive
const placeAgain = () => shown && place();
for (const moved of ["resize", "animationend", "transitionend"]) addEventListener(moved, placeAgain);
document.fonts.addEventListener("loadingdone", placeAgain);

/** What a note speaks of: all that is there of the first thing that is. */
function thingsOf(note) {
  for (const selector of note.dataset.at.split("|")) {
    const found = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    if (found.length) return found;
  }
  return [];
}

/** Frame what the note speaks of, and put it at that side where it covers least of what is needed. */
function place() {
  const box = document.getElementById("guide");
  if (!pointedAt.length) {
    box.dataset.side = "none";
    move(box, (innerWidth - box.offsetWidth) / 2, EDGE);
    return;
  }
  const anchor = around(pointedAt);
  frame(anchor);
  const { left, top, right, bottom, width, height } = anchor;
  const [w, h] = [box.offsetWidth, box.offsetHeight];
  const sentence = document.getElementById("sentence").getBoundingClientRect().top; // above all that is the reader's
  const needed = [...document.querySelectorAll(NEEDED)].map((element) => element.getBoundingClientRect());
  const middle = [left + width / 2, top + height / 2];
  const choices = [
    { side: "above", x: middle[0] - w / 2, y: top - h - GAP },
    { side: "below", x: middle[0] - w / 2, y: bottom + GAP },
    { side: "right", x: right + GAP, y: middle[1] - h / 2 },
    { side: "left", x: left - w - GAP, y: middle[1] - h / 2 },
    { side: "none", x: middle[0] - w / 2, y: sentence - h - EDGE },
  ].map(({ side, x, y }) => {
    const within = { x: between(EDGE, x, innerWidth - w - EDGE), y: between(EDGE, y, innerHeight - h - EDGE) };
    const note = new DOMRect(within.x, within.y, w, h);
    const covered = needed.reduce((sum, other) => sum + overlap(note, other), 3 * overlap(note, anchor));
    return { side, ...within, covered };
  });
  const best = choices.reduce((one, other) => (other.covered < one.covered ? other : one));
  const beside = best.side === "left" || best.side === "right";
  box.dataset.side = best.side;
  box.style.setProperty("--pointer", `${beside ? between(20, middle[1] - best.y, h - 20) : between(20, middle[0] - best.x, w - 20)}px`);
  move(box, best.x, best.y);
}

/** The rectangle around elements. */
function around(elements) {
  const places = elements.map((element) => element.getBoundingClientRect());
  const [left, top] = [Math.min(...places.map((each) => each.left)), Math.min(...places.map((each) => each.top))];
  const [right, bottom] = [Math.max(...places.map((each) => each.right)), Math.max(...places.map((each) => each.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

function frame({ x, y, width, height }) {
  const box = document.getElementById("guide-frame");
  move(box, x - FRAME, y - FRAME);
  box.style.width = `${width + 2 * FRAME}px`;
  box.style.height = `${height + 2 * FRAME}px`;
}

function move(box, x, y) {
  box.style.left = `${Math.round(x)}px`;
  box.style.top = `${Math.round(y)}px`;
}

function overlap(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function keep(name) {
  seen.add(name);
  write("sessionStorage", SEEN, [...seen]); // without storage a reload shows the notes of the moment again
}
