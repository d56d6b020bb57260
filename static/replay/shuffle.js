/* The page that checks the shuffles of a finished match: says what was found. */

import { noteOf } from "../site/notes.js";
import { check, gaps } from "./shuffle_check.js";

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
  const ours = found.get("notes");
  panel.classList.add(wrong ? "wrong" : ours ? "right" : "unknown");
  const all = `the seats and all ${match.deals.length} decks follow from the seed and the players' shares.`;
  if (wrong) {
    words.textContent = `Not as promised: ${wrong} of ${checked.length} checks failed. Please tell whoever runs this site.`;
  } else {
    words.textContent = `${ours ? "All as promised" : "It fits together"}: ${all}`;
  }
  document.getElementById("verdict-notes").textContent = ours ? ofGaps(gaps(match, note)) : ofNotes(note);
}

/** Why no more can be said than that it fits together. */
function ofNotes(note) {
  if (note?.promise) {
    return (
      "The share of this browser is not in these shuffles: the server says that it did not come in time. Without it, " +
      "your browser can't tell that nobody chose them."
    );
  }
  return (
    "This browser noted no promise and told no share at this table, so it can only check that all that the server says " +
    "now fits together. The browsers of those who played can say more."
  );
}

/** What could be said even though all is as promised. */
function ofGaps({ withheld, unseen }) {
  const sentences = [];
  if (withheld) {
    sentences.push(
      `${withheld === 1 ? "One share" : `${withheld} shares`} of others did not come in time. ` +
        `Whoever held back knowingly could choose between ${2 ** withheld} ways to shuffle, and no more.`,
    );
  }
  if (unseen.length) {
    const decks = new Intl.ListFormat("en").format(unseen.map(String));
    const words = unseen.length === 1 ? "deck" : "decks";
    sentences.push(`This browser was not shown all that was dealt to you from ${words} ${decks}.`);
  }
  return sentences.join(" ");
}

const panel = document.querySelector("[data-verify]");
if (panel) {
  const match = JSON.parse(document.getElementById("shuffle-data").textContent);
  verify(panel, match, noteOf(panel.dataset.verify));
}
