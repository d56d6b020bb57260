// Tells those who listen what has happened at the table, when it is their turn, and whom all wait for.

import { whenDrawn, mine } from "./table.js";
import { say } from "./voice.js";

let expected = false;
let told = ""; // who is waited for, as it was told last
let away = {}; // of the #waits before: the seat of who was away, and what is said when they are back

whenDrawn(({ frame, moves }) => {
  const turn = mine()?.dataset.turn === "1";
  if (moves !== null) {
    if (frame.moves > moves) say(frame.say);
    if (turn && (!expected || frame.moves > moves)) say(document.getElementById("sentence").textContent.trim());
  }
  expected = turn;
  const waits = document.getElementById("waits");
  const about = waits?.dataset.about ?? "";
  if (about && about !== told) say(...[...waits.querySelectorAll(".words")].map((words) => words.innerText.trim()));
  told = about;
  if (away.back && frame.moves === moves && isBack(away.away)) say(away.back);
  away = { ...waits?.dataset };
});

/** Whether whoever sits there has a page open again, and has not left for good. */
function isBack(number) {
  const seat = document.querySelector(`#felt .seat-${number}`);
  return Boolean(seat) && !seat.matches(".away") && !seat.querySelector(".mark.left");
}
