// Where things are in a match: made of what the page says of it, and of nothing else.
//
// A position is {move, seat, beside, open}: the index of the last move applied, the seat whose cards are seen, another one
// or null, whether all are seen.

const STEPS = ["back", "on", "trick-back", "trick-on", "mark-back", "mark-on"];

/** Whether a control only steps; the others jump, which the browser's Back undoes. */
export const isStep = (control) => STEPS.includes(control);

export class Positions {
  /** match: {last, seat, over, can_open, deal_word, deals: [{number, first, start, last, tricks: [[number, first, last]]}]}
      sentence: as in ../site/sentences.js. */
  constructor(match, sentence) {
    this.match = match;
    this.sentence = sentence;
    this.starts = match.deals.map((deal) => deal.start);
    this.beyond = match.last + (match.hides ? 1 : 0); // what is not told of yet is on another page
    this.marked = match.marks.map(([move]) => move);
    this.stops = match.deals.flatMap((deal) => [deal.start, ...deal.tricks.map(([, , last]) => last)]);
  }

  /** Step only to marks of these kinds. */
  markOnly(kinds) {
    this.marked = this.match.marks.filter(([, kind]) => kinds.includes(kind)).map(([move]) => move);
  }

  /** What is said of the marks of a move besides the move itself. */
  besides(move) {
    return this.match.marks.filter(([at]) => at === move).map(([, , words]) => words);
  }

  clamp(move) {
    return Math.min(Math.max(move, 0), this.match.last);
  }

  dealOf(move) {
    return this.match.deals.findLast((deal) => deal.first <= move);
  }

  /** The deals next to a move's own, that itself first. */
  dealsNear(move) {
    const { number } = this.dealOf(move);
    return [number, number + 1, number - 1].filter((near) => this.match.deals[near - 1]);
  }

  /** The move that a control leads to from another. */
  target(control, move) {
    const before = (list, none = 0) => list.findLast((other) => other < move) ?? none;
    const after = (list, none = this.beyond) => list.find((other) => other > move) ?? none;
    const targets = {
      "deal-back": () => before(this.starts),
      "deal-on": () => after(this.starts),
      first: () => 0,
      "trick-back": () => before(this.stops),
      back: () => this.clamp(move - 1),
      on: () => Math.min(move + 1, this.beyond),
      "trick-on": () => after(this.stops),
      last: () => this.match.last,
      "mark-back": () => before(this.marked, move),
      "mark-on": () => after(this.marked, move),
    };
    return targets[control]();
  }

  /** Where a move belongs, in the game's own word for a deal: "hand 4, trick 3". */
  label(move) {
    const deal = this.dealOf(move);
    const trick = deal.tricks.find(([, first, last]) => first <= move && move <= last);
    const places = { deal_word: this.match.deal_word, deal: deal.number, trick: trick?.[0] };
    return this.sentence(trick ? "in_trick" : "in_deal", places);
  }

  /** The address of a position. That of a running match names no seat. */
  address(position) {
    return this._address(`?move=${position.move}`, position, position.open ? "&open=1" : "");
  }

  /** The address of what all positions of a deal look like, without where they come from. */
  framesAddress(number, position) {
    return this._address(`?deal=${number}`, position, `&open=${position.open ? 1 : 0}`);
  }

  _address(start, { seat, beside }, open) {
    const { over, can_open: canOpen, blind } = this.match;
    const seats = (over ? `&seat=${seat}` : "") + (over && Number.isInteger(beside) ? `&beside=${beside}` : "");
    return start + seats + (canOpen ? open : "") + (blind ? "&spoilers=off" : "");
  }

  /** The position that an address names. */
  fromAddress(search) {
    const asked = new URLSearchParams(search);
    return {
      move: this.clamp(Number(asked.get("move"))),
      seat: asked.has("seat") ? Number(asked.get("seat")) : this.match.seat,
      beside: asked.has("beside") ? Number(asked.get("beside")) : null,
      open: asked.get("open") === "1",
    };
  }
}
