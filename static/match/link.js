// How it stands with the socket of a table: whether it is lost, what players are told of it, and what to do about it.
// It knows no page and no socket; times are milliseconds on one clock.

const BAR_AFTER = 2000;
const POLL_AFTER = 5000; // and again after as long
const BUTTON_AFTER = 10_000;
const ANSWER_WITHIN = 4000; // A ping without an answer after this time means a dead socket, a move without one only trouble.
const SILENCE = 30_000; // A socket that says nothing for so long is asked whether it still works,
const SILENCE_ON_CLOCK = 3500; // at a table with a clock after this.

export class Link {
  /** How often the socket has opened or got lost: what was sent at another count may never have arrived. */
  epoch = 0;
  /** The sentence that says why there will be no socket soon, by its name, or "". */
  ended = "";
  /** Whether the player believes that we are not connected, because they were told. */
  missed = false;

  #lostAt; // null while there is a socket
  #askedAt = null; // when the oldest message was sent that has no answer yet
  #pingedAt = null; // when we asked whether it still works
  #heardAt;
  #silence = SILENCE;
  #polledAt = -Infinity; // Infinity while a poll is on its way
  #polled = false; // whether the last poll was answered

  constructor(now) {
    this.#lostAt = this.#heardAt = now;
  }

  get lost() {
    return this.#lostAt !== null;
  }

  // What happens

  opened(now) {
    this.epoch += 1;
    this.ended = "";
    this.heard(now);
  }

  /** Something has come down the socket. */
  heard(now) {
    this.#heardAt = now;
    this.#askedAt = null;
    this.#pingedAt = null;
    this.#lostAt = null;
    this.#polled = false;
  }

  /** Something has gone out that will be answered. */
  sent(now) {
    this.#askedAt ??= now;
  }

  /** reason: why it stays closed, by the name of a sentence, or "". */
  closed(now, reason) {
    this.lose(now);
    this.ended = reason;
  }

  lose(now) {
    if (this.lost) return;
    this.#lostAt = now;
    this.epoch += 1;
  }

  /** The poll that `check` asked for has come to its end. */
  polled(now, answered) {
    this.#polledAt = now;
    this.#polled = answered;
  }

  /** There is something to send: poll again at the next check. */
  hurry() {
    this.#polledAt = -Infinity;
  }

  // What follows from it

  /** Whether so little is heard that the socket should be asked whether it is still there. */
  isSilent(now) {
    return now - this.#heardAt > this.#silence;
  }

  /** Whether moves go out by polls, because the socket has been lost for so long. */
  isPolling(now) {
    return this.lost && now - this.#lostAt > POLL_AFTER;
  }

  /** What to show and to do now: {bar, act}. To be called once a second.
      bar: {said, button}, the name of what is said of the connection and whether with a button to try again, or null.
      act: "ping" the server, "reconnect", "poll", or "". clock: whether players are on the clock. hidden: whether nobody
      sees the page. */
  check(now, { clock = false, hidden = false } = {}) {
    this.#silence = clock ? SILENCE_ON_CLOCK : SILENCE;
    const bar = this.#bar(now);
    if (bar) this.missed = true;
    return { bar, act: this.#act(now, hidden && !clock) };
  }

  #bar(now) {
    if (this.ended) return { said: this.ended, button: true };
    const unanswered = this.#askedAt === null ? Infinity : this.#askedAt + ANSWER_WITHIN - BAR_AFTER;
    const lasts = now - (this.#lostAt ?? unanswered);
    return lasts > BAR_AFTER ? { said: this.#polled ? "polled" : "lost", button: lasts > BUTTON_AFTER } : null;
  }

  #act(now, rests) {
    if (this.ended) return "";
    if (this.isPolling(now)) {
      if (now - this.#polledAt <= POLL_AFTER) return "";
      this.#polledAt = Infinity; // one at a time
      return "poll";
    }
    if (this.lost) return "";
    if (this.#isDead(now)) {
      this.lose(this.#pingedAt ?? this.#askedAt);
      return "reconnect";
    }
    if (rests || this.#pingedAt !== null || !this.isSilent(now)) return "";
    this.#pingedAt = now;
    return "ping";
  }

  #isDead(now) {
    const since = (moment) => (moment === null ? 0 : now - moment);
    return since(this.#pingedAt) > ANSWER_WITHIN || since(this.#askedAt) > 2 * ANSWER_WITHIN;
  }

  /** Whether the player, who was told that we are not connected, should be welcomed back now: once. */
  welcome() {
    if (!this.missed || this.lost || this.#askedAt !== null) return false;
    this.missed = false;
    return true;
  }
}
