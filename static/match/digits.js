// Numbers typed digit by digit: 1 and 0 soon after each other are 10. It knows no page; times are milliseconds.

const SOON = 800;

export class Digits {
  #typed = "";
  #typedAt = -Infinity;

  /** A digit was typed. Returns the numbers that may be meant, the likelier first: "10", then "0". */
  type(digit, now) {
    const before = now - this.#typedAt < SOON ? this.#typed : "";
    this.#typed = before + digit;
    this.#typedAt = now;
    return before ? [before + digit, digit] : [digit];
  }
}
