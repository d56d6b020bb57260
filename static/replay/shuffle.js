/* The page that checks the shuffles of a finished match: says what was found. */

import { noteOf } from "../site/notes.js";
import { check } from "./shuffle_check.js";

const WORDS = new Map([
  [true, ["right", ": verified"]],
  [false, ["wrong", ": wrong"]],
  [null, ["unknown", ": nothing to compare with"]],
]);

async function verify(panel, match, note) {
  const words = document.getElementById("verdict-words");
  if (!globalThis.crypto?.subtle) {
    words.textContent = "Your browser checks shuffles only on pages that came over https, or from this computer itself.";
    return;
  }
  words.textContent = "Shuffling every deck again…";
  const found = await check(match, note);
  for (const [name, ok] of found) {
    const line = panel.querySelector(`[data-check="${name}"]`);
    const [state, verdict] = WORDS.get(ok);
    line.classList.add(state);
    line.querySelector("[data-verdict]").textContent = verdict;
  }
  const checked = [...found.values()].filter((ok) => ok !== null);
  const wrong = checked.filter((ok) => !ok).length;
  panel.classList.add(wrong ? "wrong" : "right");
  words.textContent = wrong
    ? `Not as promised: ${wrong} of ${checked.length} checks failed. Please tell whoever runs this site.`
    : `All as promised: the seats and all ${match.deals.length} decks follow from the seed and the players' shares.`;
  document.getElementById("verdict-notes").textContent = ofNotes(note);
}

function ofNotes(note) {
  if (note?.late) return "Your share came too late for these shuffles, the server says: they were made without it.";
  if (note?.promise) return "";
  return (
    "This browser told no share at this table, so it can only check that all that the server says now fits together. " +
    "The browsers of those who played can say more."
  );
}

const panel = document.querySelector("[data-verify]");
if (panel) {
  const match = JSON.parse(document.getElementById("shuffle-data").textContent);
  verify(panel, match, noteOf(panel.dataset.verify));
}
