// This browser's part in the shuffles of the match: when all seats are taken it notes what is promised, and only then
// tells its share; and of each deal it notes the cards that it is shown. What for, games/kit/shuffle.py says.

import { note, noteHand, shareFor } from "../site/notes.js";
import { address, match, mine, shown, whenDrawn } from "./table.js";

const AGAIN = 1000; // milliseconds until what could not be sent is sent again
const DONE = 204;
const REFUSED = [400, 403, 404, 409]; // by our own pages: asking again helps nothing
const code = match.dataset.match;
let told = false;

if (location.pathname.startsWith("/play/")) { // the form has told our share, and this is the answer
  history.replaceState(history.state, "", address);
  note(code, { told: true });
}

whenDrawn(() => {
  tell();
  noteOwnHand();
});

/** Tell our share, if all seats are taken and we have not yet. */
async function tell() {
  const promise = document.querySelector("#table [data-promise]")?.dataset.promise;
  if (!promise || told) return;
  const share = shareFor(code, JSON.parse(promise));
  if (!share) return;
  told = true;
  const body = new FormData(document.getElementById("play"));
  body.set("entropy", share);
  const answer = await fetch(`${address}entropy/`, { method: "POST", body }).catch(() => null);
  if (answer?.status === DONE) note(code, { told: true });
  else if (!REFUSED.includes(answer?.status)) {
    told = false;
    setTimeout(tell, AGAIN);
  }
}

function noteOwnHand() {
  const deal = Number(document.getElementById("felt")?.dataset.deals ?? 0);
  const seat = mine()?.dataset.viewer;
  const cards = [...document.querySelectorAll("#hand [data-card]")].map((card) => card.dataset.card);
  if (deal && seat) noteHand(code, { deal, seat, cards, moves: shown().moves });
}
