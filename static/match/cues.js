// Which sound belongs to what has happened at the table, and which of several is heard. It knows no page.

const GAP = 150; // milliseconds at least from one sound to the next
const BY_URGENCY = ["turn", "hurry", "win", "result", "deal", "trick", "card", "bid"];

/** The sound for what has led from one table to the next, or null.
    Both are {moves, deals, cards, finished, result, over, won}: how many moves and deals a table stands for, how many
    cards lie there; whether the trick is finished, a result is shown, the match is over, and the viewer has won it. */
export function cue(before, after) {
  if (after.moves <= before.moves) return null;
  if (after.over) return after.won ? "win" : "result";
  if (after.result) return "result";
  if (after.deals > before.deals) return "deal";
  if (after.finished) return "trick";
  if (after.cards > (before.finished ? 0 : before.cards)) return "card";
  return "bid";
}

/** Lets one sound through at a time: of those that are asked for together, or too soon after one, the most urgent. */
export class Mixer {
  #next = null;
  #heardAt = -Infinity;

  /** Ask for a sound. Returns in how many milliseconds to `take` what is to be heard; null if that is arranged already. */
  ask(name, now) {
    const arranged = this.#next !== null;
    if (!arranged || BY_URGENCY.indexOf(name) < BY_URGENCY.indexOf(this.#next)) this.#next = name;
    return arranged ? null : Math.max(0, this.#heardAt + GAP - now);
  }

  /** The sound to be heard now. */
  take(now) {
    const name = this.#next;
    this.#next = null;
    this.#heardAt = now;
    return name;
  }
}
