// Which of the tables that come is drawn next, and when: what is old is dropped, a finished trick is looked at first,
// nothing moves under a finger. It knows no page; times are milliseconds on one clock.
//
// A frame is {revision, moves, say}: how often the match has changed, how many moves it stands for, and what happened.

const BEHIND = 2; // so many frames may wait; if there are more, the newest is drawn at once
const HOLDS = { fast: 500, normal: 1000, slow: 1800 }; // for which a finished trick stays
const FINGER = 3000; // after which a finger that is still down on the table no longer counts

export class Frames {
  #waiting = [];
  #playedAt = -Infinity; // when the last move on the table had been seen to its end
  #fingerDownAt = null;

  /** Take in a frame that has come. One that is older than what waits already is dropped. */
  add(frame) {
    if (frame.revision < this.#waiting.at(-1)?.revision) return;
    this.#waiting.push(frame);
  }

  /** How long the next frame has to wait; null where there is none.
      moves: what the table stands for. finished: whether it shows a finished trick. hold: how long to look at that. */
  delay(now, { moves, finished, hold }) {
    if (!this.#waiting.length) return null;
    const takesAway = finished && this.#waiting[0].moves > moves && this.#waiting.length <= BEHIND;
    const held = takesAway ? this.#playedAt + HOLDS[hold] - now : 0;
    const touched = this.#fingerDownAt === null ? 0 : this.#fingerDownAt + FINGER - now;
    return Math.max(0, held, touched);
  }

  /** The frame to draw now, with the sentences of those that it jumps over; null if the table is newer than that.
      shown: {revision, moves} of the table. */
  take(shown) {
    const taken = this.#waiting.splice(0, this.#waiting.length > BEHIND ? this.#waiting.length : 1);
    const frame = taken.at(-1);
    if (!frame || frame.revision < shown.revision) return null;
    const sentences = [];
    let { moves } = shown;
    for (const each of taken) {
      if (each.moves > moves && each.say) sentences.push(each.say); // else it has been said
      moves = Math.max(moves, each.moves);
    }
    return { ...frame, say: sentences.join(" ") };
  }

  /** A table with new moves is there; it shows them until `seenAt`. */
  played(seenAt) {
    this.#playedAt = seenAt;
  }

  /** Look no longer at a finished trick. */
  endHold() {
    this.#playedAt = -Infinity;
  }

  fingerDown(now) {
    this.#fingerDownAt = now;
  }

  fingerUp() {
    this.#fingerDownAt = null;
  }
}
