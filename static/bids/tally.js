// Rounds of Bids at a real table, as games/bids/tally.py counts them.

import { CannotBe, NOBODY, chosen, field, has, numberOf, option, range, seatOptions, sum } from "../tallies/scorer.js";
import { say } from "../tallies/words.js";

const TRICKS = 10;
const HIGHEST = { 3: 10, 4: 10, 5: 12, 6: 14 };
const LUCKY_LOSER = { 3: 12, 4: 8, 5: 8, 6: 7 };
const MINUS = -5; // the number of the special black card

/** The numbers of all black cards, 0 for those without one. */
function blackValues(match) {
  const numbers = [...range(HIGHEST[match.seats], 1), ...(match.minus5_2x ? [MINUS, 0] : [])];
  const others = Array(Number(match.lowest) + Number(match.surprise)).fill(0);
  return [...numbers, ...others].sort((one, other) => one - other);
}

const positive = (values) => sum(values.filter((each) => each > 0));

/** How many black cards can be won in a round. */
function mostBlack({ seats, ally, surprise }) {
  const inHands = seats === 6 ? (ally ? 3 : 4) : seats === 5 ? 2 : 1;
  return TRICKS + Number(surprise) + inHands;
}

function totalFields(match, answers, names) {
  const values = blackValues(match);
  const least = Math.min(values[0], 0);
  const most = positive(values);
  const fields = names.flatMap((name, seat) => [
    field(`black${seat}`, say("Black cards"), { most: mostBlack(match), default: 0, group: name }),
    field(`points${seat}`, say("Their points"), { least, most, default: 0 }),
  ]);
  if (!match.minus5_2x) return fields;
  const options = seatOptions(names, true);
  fields.push(field("doubled", say("2× was won by"), { options, default: NOBODY, group: " " }));
  if ((answers.doubled ?? NOBODY) !== NOBODY) fields.push(field("double", say("Points that it added"), { least, most }));
  return fields;
}

/** The fields of the tricks so far and of the next one. */
function trickFields(match, answers, names) {
  const values = blackValues(match);
  const fields = [];
  for (const number of range(TRICKS, 1)) {
    const known = { early: true, folded: true };
    const options = seatOptions(names, true);
    fields.push(field(`won${number}`, say("Won by"), { ...known, options, group: say("Trick {number}", { number }) }));
    if (!has(answers, `won${number}`)) break;
    if (answers[`won${number}`] === NOBODY) continue;
    const bounds = { least: Math.min(values[0], 0), most: positive(values) };
    fields.push(field(`worth${number}`, say("Points"), { ...known, ...bounds }));
    const cards = { least: 1, most: mostBlack(match), default: 1 };
    fields.push(field(`cards${number}`, say("Black cards"), { ...known, ...cards }));
    if (match.minus5_2x) {
      fields.push(field(`twice${number}`, "", { ...known, options: [option("2x", say("2× was won"))], kind: "many" }));
    }
    if (!has(answers, `worth${number}`)) break;
  }
  return fields;
}

/** The points of tricks, those by 2× and the black cards, by seat. */
function bySeat(match, body) {
  const [points, black] = ["points", "black"].map((name) =>
    range(match.seats).map((seat) => numberOf(body, `${name}${seat}`)),
  );
  const doubling = Array(match.seats).fill(0);
  const winner = numberOf(body, "doubled");
  if (winner !== NOBODY && match.minus5_2x) doubling[winner] = numberOf(body, "double");
  return { points, doubling, black };
}

function byTrick(match, body) {
  const [points, doubling, black] = range(3).map(() => Array(match.seats).fill(0));
  for (const number of range(TRICKS, 1)) {
    const winner = numberOf(body, `won${number}`);
    if (winner === NOBODY) continue;
    points[winner] += numberOf(body, `worth${number}`);
    black[winner] += numberOf(body, `cards${number}`);
    if (!chosen(body, `twice${number}`).length) continue;
    if (doubling.some(Boolean)) throw new CannotBe(say("2× is only once in the pack. Check the tricks."));
    doubling[winner] = points[winner];
  }
  return { points, doubling, black };
}

/** Throws CannotBe if no black cards of the pack could bring these points. */
function check(match, { points, doubling, black }) {
  const values = blackValues(match);
  const most = mostBlack(match);
  if (sum(black) > most) {
    const places = { number: sum(black), most };
    throw new CannotBe(say("These are {number} black cards, but in a round at most {most} can be won.", places));
  }
  for (const [own, cards] of [...points.map((each, seat) => [each, black[seat]]), [sum(points), sum(black)]]) {
    const least = sum(values.slice(0, cards));
    const best = sum(values.slice(values.length - cards));
    if (own >= least && own <= best) continue;
    const places = { cards, least, best, points: own };
    throw new CannotBe(
      say("{cards} black cards are worth from {least} to {best} points together, not {points}.", places),
    );
  }
  for (const [seat, more] of doubling.entries()) {
    if (!more || (black[seat] && more >= MINUS && more <= points[seat] - MINUS)) continue;
    throw new CannotBe(
      say("2× adds what its winner has in the round so far. It cannot be {points} points.", { points: more }),
    );
  }
}

export const scorer = {
  start: (seats, options) => ({
    match: { ...options, seats },
    played: 0,
    nulls: Array(seats).fill(0), // rounds without a black card
    totals: Array(seats).fill(0),
  }),

  fields({ match }, answers, names) {
    const ways = [option("totals", say("After the round")), option("tricks", say("Trick by trick"))];
    const fields = [field("way", say("Enter"), { options: ways, default: "totals" })];
    if (answers.way === "tricks") {
      fields.push(...trickFields(match, answers, names));
      if (!has(answers, `won${TRICKS}`)) return fields;
    } else {
      fields.push(...totalFields(match, answers, names));
    }
    if (!match.ally) return fields;
    const options = seatOptions(names, true);
    fields.push(field("ally", say("The Ally was played by"), { options, default: NOBODY }));
    if ((answers.ally ?? NOBODY) === NOBODY) return fields;
    const partners = seatOptions(names).filter(({ value }) => value !== answers.ally);
    return [...fields, field("partner", say("Its trick was won by"), { options: partners })];
  },

  add({ match, played, nulls, totals }, body) {
    const round = body.way === "tricks" ? byTrick(match, body) : bySeat(match, body);
    check(match, round);
    const { points, doubling, black } = round;
    const own = points.map((each, seat) => {
      const lucky = black[seat] ? 0 : LUCKY_LOSER[match.seats] * (nulls[seat] + 1);
      return each + doubling[seat] + lucky;
    });
    const ally = numberOf(body, "ally");
    if (match.ally && ally !== NOBODY) {
      const partner = numberOf(body, "partner");
      if (!black[partner]) {
        throw new CannotBe(say("Who won the trick of the Ally has a black card. Check the alliance."));
      }
      own[ally] = own[partner] = (own[ally] + own[partner]) / 2;
    }
    return {
      match,
      played: played + 1,
      nulls: nulls.map((number, seat) => number + (black[seat] ? 0 : 1)),
      totals: totals.map((total, seat) => total + own[seat]),
    };
  },

  totals: ({ totals }) => totals,
  isOver: ({ match, played }) => played === match.rounds,
  heading: () => "",
  hasPartners: () => false,
};
