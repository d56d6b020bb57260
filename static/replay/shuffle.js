/* The page that checks the shuffles of a finished match: says what was found. */

import { noteOf } from "../site/notes.js";
import { sentence } from "../site/sentences.js";
import { check, gaps } from "./shuffle_check.js";

const STATES = new Map([
  [true, "right"],
  [false, "wrong"],
  [null, "unknown"],
]);

async function verify(panel, match, note) {
  const words = document.getElementById("verdict-words");
  if (!globalThis.crypto?.subtle) {
    words.textContent = sentence("not_secure");
    return;
  }
  words.textContent = sentence("shuffling");
  const found = await check(match, note);
  for (const [name, ok] of found) {
    const line = panel.querySelector(`[data-check="${name}"]`);
    const state = STATES.get(ok);
    line.classList.add(state);
    line.querySelector("[data-verdict]").textContent = sentence(state);
  }
  const checked = [...found.values()].filter((ok) => ok !== null);
  const wrong = checked.filter((ok) => !ok).length;
  const ours = found.get("notes");
  panel.classList.add(wrong ? "wrong" : ours ? "right" : "unknown");
  if (wrong) words.textContent = sentence("failed", { failed: wrong, checks: checked.length });
  else words.textContent = sentence(ours ? "as_promised" : "fits_together", { count: match.deals.length });
  document.getElementById("verdict-notes").textContent = ours ? ofGaps(gaps(match, note)) : ofNotes(note);
}

/** Why no more can be said than that it fits together. */
const ofNotes = (note) => sentence(note?.promise ? "share_left_out" : "no_notes");

/** What could be said even though all is as promised. */
function ofGaps({ withheld, unseen }) {
  const sentences = [];
  if (withheld) sentences.push(sentence("withheld", { count: withheld, ways: 2 ** withheld }));
  if (unseen.length) {
    const decks = new Intl.ListFormat(document.documentElement.lang).format(unseen.map(String));
    sentences.push(sentence("unseen", { count: unseen.length, decks }));
  }
  return sentences.join(" ");
}

const panel = document.querySelector("[data-verify]");
if (panel) {
  const match = JSON.parse(document.getElementById("shuffle-data").textContent);
  verify(panel, match, noteOf(panel.dataset.verify));
}
