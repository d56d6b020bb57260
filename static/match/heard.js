// What happens at the table is heard: which sound belongs to it, cues.js says.

import { cue } from "./cues.js";
import { play } from "./sound.js";
import { shown, whenDrawn } from "./table.js";

let before = null;

whenDrawn(({ moves }) => {
  const now = look();
  const name = moves === null ? null : cue(before, now);
  if (name) play(name);
  before = now;
});

/** What the table on the page shows, as cues.js takes it. */
function look() {
  const { moves, status } = shown();
  return {
    moves,
    deals: Number(document.getElementById("felt")?.dataset.deals ?? 0),
    cards: document.querySelectorAll("#felt .slot.filled").length,
    finished: Boolean(document.querySelector("#felt .slot.finished")),
    result: Boolean(document.querySelector("#mine .result")),
    over: status === "over",
    won: Boolean(document.querySelector("#mine .result .me .crown")),
  };
}
