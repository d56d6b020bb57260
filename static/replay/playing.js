// The replay that plays by itself.

import { match, positions } from "./page.js";
import { show, shown } from "./show.js";

const button = document.getElementById("play");
const speed = document.getElementById("speed"); // moves a second

const SHORTEST = 150; // milliseconds: shuffles, and moves of bots that took no time

let timer = 0;

const isPlaying = () => button.getAttribute("aria-pressed") === "true";

function play(on) {
  clearTimeout(timer);
  button.setAttribute("aria-pressed", on);
  if (!on) return;
  timer = setTimeout(async () => {
    await show({ ...shown(), move: positions.clamp(shown().move + 1) });
    if (isPlaying()) play(shown().move < match.last);
  }, pauseBefore(positions.clamp(shown().move + 1)));
}

/** Milliseconds until a move is shown: as it was played, or as many moves a second as are asked for. */
function pauseBefore(move) {
  return speed.value === "played" ? Math.max(1000 * match.times[move], SHORTEST) : 1000 / Number(speed.value);
}

/** Play no longer. Returns whether it did. */
export function pause() {
  const was = isPlaying();
  play(false);
  return was;
}

export function togglePlay() {
  if (!isPlaying() && shown().move === match.last) show({ ...shown(), move: 0 }, { record: "jump" });
  play(!isPlaying());
}

button.addEventListener("click", togglePlay);
