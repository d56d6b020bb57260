// Whose turn it is, for those who look elsewhere: the title, the icon of the tab, a sound, a short vibration.

import { play } from "./sound.js";
import { match, mine, whenDrawn } from "./table.js";

const AWAY_AFTER = 5000; // milliseconds since the last touch of the page

const icon = document.querySelector('link[rel="icon"]');
const plain = icon.href;

let touchedAt = -Infinity;
let turn = 0; // the number of moves at which my present turn began; 0: it is not my turn

for (const type of ["pointerdown", "keydown"]) {
  document.addEventListener(type, () => (touchedAt = performance.now()));
}

whenDrawn(({ frame, moves }) => {
  const seat = mine();
  if (!seat) return;
  document.title = seat.dataset.title;
  const now = seat.dataset.turn === "1" ? frame.moves : 0;
  if (Boolean(now) !== Boolean(turn)) icon.href = now ? match.dataset.turnIcon : plain;
  if (now && now !== turn && moves !== null) call();
  turn = now;
});

function call() {
  if (!document.hidden && performance.now() - touchedAt < AWAY_AFTER) return;
  play("turn");
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(50);
}
