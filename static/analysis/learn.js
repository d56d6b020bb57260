// The table of a position to try again: arrow keys in its hand, and the fields of its moves, also after an answer. What
// is said about a move stands above the hand, where it is seen.

import "../match/fields.js";
import "../match/hand.js";

document.addEventListener("htmx:after:swap", () => {
  document.dispatchEvent(new CustomEvent("table:drawn"));
  if (document.getElementById("play")) document.getElementById("sentence").scrollIntoView({ block: "nearest" });
});
