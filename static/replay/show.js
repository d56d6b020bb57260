// The position that is shown. Every other module that shows one does it here.

import { pushAddress, replaceAddress } from "./address.js";
import { draw } from "./drawing.js";
import { framesOf } from "./frames.js";
import { mark } from "./marks.js";
import { match, page, positions, table } from "./page.js";
import { say } from "./speech.js";
import { sentence } from "../site/sentences.js";

let at = { move: match.move, seat: match.seat, beside: match.beside, open: match.open }; // what is shown, or will be when its frames are here

const listeners = [];

/** Call `listener(position, by)` whenever a position is shown; by: "room" where somebody else steers. */
export const whenShown = (listener) => listeners.push(listener);

/** The position that is shown, or will be in a moment. */
export const shown = () => at;

/** Show a position.
    record: "step" (the address changes), "jump" (so that Back returns to where it started) or "" (as it is).
    by: who asked for it, "" for whoever sits before this page.
    from: where a jump starts, if not at what was shown last. spoken: what is said, if not what happened at the move. */
export async function show(next, { record = "step", from: last = at, spoken = null, by = "" } = {}) {
  const [from, to] = [positions.address(last), positions.address(next)];
  if (next.move > match.last) {
    location.assign(to); // what comes there is not on this page
    return;
  }
  at = next;
  for (const listener of listeners) listener(next, by);
  if (record === "jump" && from !== to) pushAddress(from, to);
  else if (record) replaceAddress(to);
  mark(next, positions.label(next.move));
  table.ariaBusy = "true";
  let found;
  try {
    found = await framesOf(positions.dealOf(next.move).number, next);
  } catch {
    location.assign(to); // the page says what is wrong
    return;
  }
  if (at !== next) return; // somebody was quicker
  table.ariaBusy = null;
  draw(found, next);
  const { label, words } = found.tables.get(next.move);
  mark(next, label, words);
  const siteName = document.title.slice(document.title.lastIndexOf(" · "));
  document.title = sentence("title", { game: page.dataset.game, where: label, move: words }) + siteName;
  const where = sentence("at", { where: `${label[0].toUpperCase()}${label.slice(1)}` });
  const jumped = label === positions.label(last.move) ? [] : [where];
  const happened = document.getElementById("felt").dataset.say ?? "";
  say(spoken ?? [...jumped, happened, ...positions.besides(next.move)].filter(Boolean).join(" "));
  fetchAround();
}

/** Fetch the deal that is shown and those next to it, unless they are here. */
export function fetchAround() {
  for (const number of positions.dealsNear(at.move)) framesOf(number, at);
}
