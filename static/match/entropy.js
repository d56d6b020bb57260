// This browser's part in the shuffles of the match: when all seats are taken it notes what is promised, and only then
// tells its share; and of each deal it notes the cards that it is shown. What for, games/kit/shuffle.py says.

import { note, noteOf, shareOf } from "../site/notes.js";
import { address, match, mine, whenDrawn } from "./table.js";

const AGAIN = 1000; // milliseconds until what could not be sent is sent again
const code = match.dataset.match;
let told = false;

whenDrawn(({ frame }) => {
  tell();
  noteHand(frame.moves);
});

/** Tell our share, if all seats are taken and we have not yet. */
async function tell() {
  const shown = document.querySelector("#table [data-promise]")?.dataset.promise;
  if (!shown || told) return;
  const promise = JSON.parse(shown);
  const place = promise.hashes.findIndex((hash) => hash && shareOf(hash));
  if (place < 0) return;
  const share = shareOf(promise.hashes[place]);
  note(code, { promise: { ...promise, place }, share });
  // A share is told for the list that was shown first: another one would be a trick.
  if (JSON.stringify(noteOf(code)?.promise) !== JSON.stringify({ ...promise, place })) return;
  told = true;
  const body = new FormData(document.getElementById("play"));
  body.set("entropy", share);
  const answer = await fetch(`${address}entropy/`, { method: "POST", body }).catch(() => null);
  if (answer?.status === 409) note(code, { late: true });
  if (answer) return;
  told = false;
  setTimeout(tell, AGAIN);
}

function noteHand(moves) {
  const deal = Number(document.getElementById("felt")?.dataset.deals ?? 0);
  const seat = mine()?.dataset.viewer;
  const cards = [...document.querySelectorAll("#hand [data-card]")].map((card) => card.dataset.card);
  if (!deal || !seat || !cards.length || noteOf(code)?.hands?.[deal]) return;
  note(code, { hands: { [deal]: { seat: Number(seat), cards, moves } } });
}
