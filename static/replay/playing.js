// The replay that plays by itself.

import { match, positions } from "./page.js";
import { show, shown } from "./show.js";

const button = document.getElementById("play");
const speed = document.getElementById("speed"); // moves a second

let timer = 0;

const isPlaying = () => button.getAttribute("aria-pressed") === "true";

function play(on) {
  clearTimeout(timer);
  button.setAttribute("aria-pressed", on);
  if (!on) return;
  timer = setTimeout(async () => {
    await show({ ...shown(), move: positions.clamp(shown().move + 1) });
    if (isPlaying()) play(shown().move < match.last);
  }, 1000 / Number(speed.value));
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
