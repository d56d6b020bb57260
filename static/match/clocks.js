// Counts the running clocks down: the time of the move and the reserve, in the last ten seconds these alone.

import { sync } from "./connection.js";
import { play } from "./sound.js";
import { mine, whenDrawn } from "./table.js";
import { warn } from "./voice.js";

const LAST = 10; // seconds
const LATE = 5; // seconds after a deadline in which the table should have moved on

let running = []; // {clock, end, reserve, own}: `end` on the clock of performance.now()
let warned = false;

whenDrawn(({ frame, moves }) => {
  if (frame.moves !== moves) warned = false;
  running = [...document.querySelectorAll("#felt .clock.running")].map((clock) => ({
    clock,
    end: frame.at + Number(clock.dataset.remaining) * 1000,
    reserve: Number(clock.dataset.reserve),
    own: Boolean(clock.closest(`.seat-${mine()?.dataset.viewer || "none"}`)),
  }));
  tick();
});
setInterval(tick, 200);

function tick() {
  for (const entry of running) {
    const { clock, end, reserve, own } = entry;
    const left = Math.ceil((end - performance.now()) / 1000);
    const text = words(Math.max(0, left), reserve);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", left <= LAST);
    if (own && left <= LAST && !warned) {
      warned = true;
      warn(`${left} seconds left.`);
      play("hurry");
    }
    if (left < -LATE && !entry.late) {
      entry.late = true;
      sync();
    }
  }
}

function words(left, reserve) {
  if (left <= LAST) return String(left);
  return `${minutes(Math.max(0, left - reserve))} + ${minutes(Math.min(left, reserve))}`;
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
