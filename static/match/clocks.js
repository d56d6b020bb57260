// Counts down what runs: the clocks, that is the time of the move and the reserve, in the last ten seconds these alone;
// the seconds until the next deal; and what is left until a bot plays for who is away, or a pause ends.

import { sync } from "./connection.js";
import { play } from "./sound.js";
import { sentence } from "../site/sentences.js";
import { mine, whenDrawn } from "./table.js";
import { warn } from "./voice.js";

const LAST = 10; // seconds
const LATE = 5; // seconds after a deadline in which the table should have moved on

let running = []; // {clock, end, words, own}: `end` on the clock of performance.now()
let warned = false;

whenDrawn(({ frame, moves }) => {
  if (frame.moves !== moves) warned = false;
  running = [...document.querySelectorAll("#table [data-remaining]")].map((clock) => ({
    clock,
    end: frame.at + Number(clock.dataset.remaining) * 1000,
    words: wordsOf(clock),
    own: Boolean(clock.closest(`.seat-${mine()?.dataset.viewer || "none"}`)),
  }));
  tick();
});
setInterval(tick, 200);

function tick() {
  for (const entry of running) {
    const { clock, end, own } = entry;
    const left = Math.ceil((end - performance.now()) / 1000);
    const text = entry.words(Math.max(0, left));
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", left <= LAST);
    if (own && left <= LAST && !warned) {
      warned = true;
      warn(sentence("seconds_left", { count: left }));
      play("hurry");
    }
    if (left < -LATE && !entry.late) {
      entry.late = true;
      sync();
    }
  }
}

function wordsOf(clock) {
  if (clock.closest(".countdown")) return String;
  return clock.dataset.reserve ? (left) => words(left, Number(clock.dataset.reserve)) : minutes;
}

function words(left, reserve) {
  if (left <= LAST) return String(left);
  return `${minutes(Math.max(0, left - reserve))} + ${minutes(Math.min(left, reserve))}`;
}

function minutes(seconds) {
  const hours = Math.floor(seconds / 3600);
  const [above, rest] = [String(Math.floor(seconds / 60) % 60), String(seconds % 60).padStart(2, "0")];
  return hours ? `${hours}:${above.padStart(2, "0")}:${rest}` : `${above}:${rest}`;
}
