// Tells those who listen what has happened at the table, and when it is their turn.

import { whenDrawn, mine } from "./table.js";
import { say } from "./voice.js";

let expected = false;

whenDrawn(({ frame, moves }) => {
  const turn = mine()?.dataset.turn === "1";
  if (moves !== null) {
    if (frame.moves > moves) say(frame.say);
    if (turn && (!expected || frame.moves > moves)) say(document.getElementById("sentence").textContent.trim());
  }
  expected = turn;
});
