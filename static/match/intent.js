// What a player means to do with the moves on the page: lift one and play it with a second tap, choose one before the
// turn, take it back within a moment. It knows no page; moves are named by their ids, times are milliseconds.

// A second tap within these times was not meant
const BOUNCE = 200; // after the tap that lifts
const TWICE = 500; // after the one that plays
const GRACE = { off: 0, 1: 1000 }; // for which a move may be taken back, by the setting
const FORCED = 600; // the only move left waits so long,
const FORCED_MORE = 1200; // and up to so much longer, as long as a person may take: the time tells nothing

export class Intent {
  /** The move that was tapped once, or null. */
  lifted = null;
  /** The move that was chosen before its turn, or null. */
  chosen = null;
  /** The move that is about to be sent and may still be taken back, or null. */
  held = null;

  #deadUntil = -Infinity;

  /** A move was tapped, or pressed by a key. Returns what follows: "lift", "play", "choose", "drop" or "ignore".
      twoTaps: whether a tap lifts and the next one plays. refusable: whether it will be refused, so that one tap is
      enough to hear why. early: whether it may be chosen before the turn, and only that. busy: whether a move is on
      its way. */
  tap(id, { now, byKey = false, twoTaps = false, refusable = false, early = false, busy = false }) {
    if (this.held !== null) return "ignore";
    if (early) {
      this.lifted = null;
      this.chosen = this.chosen === id ? null : id;
      return this.chosen ? "choose" : "drop";
    }
    if (!byKey && twoTaps && this.lifted !== id && !refusable) {
      this.#deadUntil = now + BOUNCE;
      this.lifted = id;
      return "lift";
    }
    if (busy || now < this.#deadUntil) return "ignore";
    this.#deadUntil = now + TWICE;
    this.lifted = null;
    return "play";
  }

  /** Hold a move back, as the setting says. Returns for how long; 0 if it goes at once. */
  hold(id, setting) {
    const grace = GRACE[setting] ?? 0;
    if (grace) this.held = id;
    return grace;
  }

  /** Send what is held, or take it back. Returns its id, or null. */
  release() {
    const id = this.held;
    this.held = null;
    return id;
  }

  /** A new table is there. Returns {play} or {drop} with the move that was chosen before and whose turn has come, else
      {}. moves: the ids of all moves on the page. legal: of those that may be made; empty while it is not the turn. */
  drawn(moves, legal) {
    if (!moves.includes(this.lifted)) this.lifted = null;
    if (!moves.includes(this.chosen)) this.chosen = null;
    if (!legal.includes(this.held)) this.held = null;
    const id = this.chosen;
    if (id === null || !legal.length) return {};
    this.chosen = null;
    return legal.includes(id) ? { play: id } : { drop: id };
  }
}

/** How long the only move that is left waits before it is made by itself. chance: from 0 to 1. */
export const forcedAfter = (chance) => FORCED + FORCED_MORE * chance;
