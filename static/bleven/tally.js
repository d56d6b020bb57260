// Rounds of Bleven at a real table, as games/bleven/tally.py and games/bleven/rules/scoring.py count them.

import { CannotBe, NOBODY, chosen, field, numberOf, option, range, seatOptions, sideNames } from "../tallies/scorer.js";
import { say, sayIn, word } from "../tallies/words.js";

const TRICKS = 3;
const CROWN = 30; // stones
const PLAYED = "played";
const VOID = "void";
const LOST = { left: word("{side} left"), out: word("{side} went out"), under15: word("{side}: less than 15") };

const sideOf = (seat) => seat % 2;
const triangular = (number) => (number * (number + 1)) / 2;
const seatsOf = (side, seats) => range(seats).filter((seat) => sideOf(seat) === side);

// What is asked

const positions = () =>
  [sayIn("which trick", "1st"), sayIn("which trick", "2nd"), sayIn("which trick", "3rd")].map((words, index) =>
    option(String(index + 1), words),
  );

function predictionFields(most, answers, seats) {
  const numbers = range(TRICKS + 1).map((number) => option(number, String(number)));
  const fields = [
    field("declarer", say("Prediction by"), { options: seats, early: true }),
    field("tricks", say("Tricks"), { options: numbers, early: true }),
  ];
  if (numberOf(answers, "tricks")) {
    fields.push(field("positions", say("Named"), { options: positions(), kind: "many", early: true }));
  }
  return [...fields, field("bet", say("Stones agreed"), { most, early: true })];
}

function trickFields(answers, names, sides) {
  const { declarer } = answers;
  const fields = [];
  if (Number.isInteger(declarer)) {
    const label = say("Tricks won by {side}", { side: sides[sideOf(declarer)] });
    fields.push(field("won", label, { options: positions(), kind: "many" }));
  }
  if (names.length === 2) {
    fields.push(field("short", say("Less than 15"), { options: seatOptions(names, true), default: NOBODY }));
  }
  return fields;
}

// What was entered

function roundOf(match, body) {
  const result = body.end === PLAYED ? PLAYED : body.end.slice(0, -1);
  const loser = body.end === PLAYED ? null : Number(body.end.at(-1));
  let left = chosen(body, "left").map(Number);
  if (result === "left") left = [...left, ...seatsOf(loser, match.seats)];
  const declarer = Number(body.declarer ?? NOBODY);
  if (result === "left") return { result, loser, left, declarer, bet: 0, sideBets: 0 };
  return {
    result,
    loser,
    left,
    declarer,
    bet: numberOf(body, "bet"),
    sideBets: numberOf(body, "side_bets"),
    answer: body.answer,
    prediction: { tricks: numberOf(body, "tricks"), positions: chosen(body, "positions").map(Number) },
  };
}

/** Throws CannotBe if a round cannot have gone so. */
function check(match, round) {
  const { result, loser, left, declarer, bet, sideBets, prediction } = round;
  const stones = bet + sideBets;
  if (stones > match.max_bet) {
    const places = { stones, most: match.max_bet };
    throw new CannotBe(say("These are {stones} stones, but at most {most} can be at stake.", places));
  }
  if (prediction && prediction.positions.length > prediction.tricks) {
    throw new CannotBe(say("More tricks are named than predicted."));
  }
  if ((result === PLAYED || result === "under15") && !bet) {
    throw new CannotBe(say("A bet is of one stone or more."));
  }
  if (result === "left" && declarer !== NOBODY && sideOf(declarer) === loser) {
    throw new CannotBe(say("Who has declared has stayed in the round. Check who left."));
  }
  const haveLeft = (side) => seatsOf(side, match.seats).every((seat) => left.includes(seat));
  if (match.seats === 4 && result !== "left" && (haveLeft(0) || haveLeft(1))) {
    throw new CannotBe(say("If both partners left, the round ended with it. Check who left."));
  }
}

// What is paid: pairs of a side and its stones. The side that reaches the target first wins the match.

function paymentsOfPlay(match, round, won, short) {
  const declaring = sideOf(round.declarer);
  const opponents = 1 - declaring;
  const right = won.length === round.prediction.tricks;
  const named = won.filter((place) => round.prediction.positions.includes(place)).length;
  const points = [declaring, triangular((right ? round.prediction.tricks : 0) + named)];
  if (short !== NOBODY) {
    const winner = 1 - short;
    const forfeit = paymentsOfForfeit(match, { ...round, result: "under15" }, winner);
    return winner === declaring ? [points, ...forfeit] : forfeit;
  }
  const isPaid = round.answer === "suspect" || (!right && match.deduced_miss === "bet");
  const bet = isPaid ? round.bet : 0;
  if (right) return [points, [declaring, bet], [declaring, round.sideBets]];
  return [[opponents, bet], [opponents, round.sideBets], points];
}

function paymentsOfForfeit(match, round, winner) {
  const players = match.seats / 2;
  const stones = [players * match.leave_cost, round.bet, round.sideBets];
  return [...stones, round.result === "out" ? players : 0].map((each) => [winner, each]);
}

function settle(state, payments) {
  const { match } = state;
  const totals = [...state.totals];
  let first = null;
  for (const [side, stones] of payments) {
    totals[side] += stones;
    if (stones && first === null && totals[side] >= CROWN * match.crowns) first = side;
  }
  const over = first !== null || isDecidedByRounds(match, state.played + 1, totals);
  return { match, played: state.played + 1, totals, over };
}

/** Whether this round was the last: after one more round of a tie somebody must win. */
const isDecidedByRounds = (match, number, totals) =>
  Boolean(match.rounds) && number >= match.rounds && (totals[0] !== totals[1] || number > match.rounds);

export const scorer = {
  start: (seats, options) => ({ match: { ...options, seats }, played: 0, totals: [0, 0], over: false }),

  fields({ match }, answers, names) {
    const four = match.seats === 4;
    const sides = sideNames(names, four);
    const lost = (four ? ["left", "out", "under15"] : ["left", "out"]).flatMap((result) =>
      sides.map((side, number) => option(`${result}${number}`, say(LOST[result], { side }))),
    );
    const ends = [option(PLAYED, say("Three tricks")), ...lost, option(VOID, say("Nobody has 15"))];
    const end = String(answers.end ?? PLAYED);
    const fields = [field("end", say("How it ended"), { options: ends, default: PLAYED, early: true })];
    const seats = seatOptions(names);
    if (end.startsWith("left")) {
      fields.push(field("declarer", say("Declared by"), { options: seatOptions(names, true), default: NOBODY }));
    } else if (end !== VOID) {
      fields.push(...predictionFields(match.max_bet, answers, seats));
      if (end === PLAYED || end.startsWith("under15")) {
        const options = [option("suspect", say("doubted")), option("deduce", say("believed"))];
        fields.push(field("answer", sayIn("of a prediction", "Answer"), { options }));
      }
      fields.push(field("side_bets", say("Side bets"), { most: match.max_bet, default: 0 }));
    }
    if (four && end !== VOID) {
      fields.push(field("left", say("Left before the prediction"), { options: seats, kind: "many" }));
    }
    return end === PLAYED ? [...fields, ...trickFields(answers, names, sides)] : fields;
  },

  add(state, body) {
    if (body.end === VOID) return settle(state, []);
    const round = roundOf(state.match, body);
    check(state.match, round);
    if (round.loser !== null) {
      return settle(state, paymentsOfForfeit(state.match, round, 1 - round.loser));
    }
    const short = state.match.seats === 2 ? Number(body.short ?? NOBODY) : NOBODY;
    return settle(state, paymentsOfPlay(state.match, round, chosen(body, "won").map(Number), short));
  },

  totals: ({ totals }) => totals,
  isOver: ({ over }) => over,
  heading: () => "",
  hasPartners: (seats) => seats === 4,
};
