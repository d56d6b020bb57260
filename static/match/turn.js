// Whose turn it is, for those who look elsewhere: the title, the icon of the tab, a sound, a short vibration.

import { notify } from "../notifications/browser.js";
import { setting } from "../site/settings.js";
import { setTurn } from "../site/waiting.js";
import { play } from "./sound.js";
import { mine, whenDrawn } from "./table.js";

const AWAY_AFTER = 5000; // milliseconds since the last touch of the page

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
  if (Boolean(now) !== Boolean(turn)) setTurn(Boolean(now));
  if (now && now !== turn && moves !== null) call(seat.dataset.title);
  turn = now;
});

function call(title) {
  if (!document.hidden && performance.now() - touchedAt < AWAY_AFTER) return;
  if (setting("notify") === "on") notify(title);
  play("turn");
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(50);
}
