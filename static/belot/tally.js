// Deals of Belot at a real table, as games/belot/tally.py and games/belot/rules/scoring.py count them.

import { CannotBe, chosen, field, modulo, numberOf, option, range, seatOptions, sideNames, sum } from "../tallies/scorer.js";
import { capital, say, sayIn, word } from "../tallies/words.js";

const SUITS = ["C", "D", "H", "S"];
const NO_TRUMPS = "NT";
const ALL_TRUMPS = "AT";
const PLAIN_POINTS = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
const TRUMP_POINTS = { J: 20, 9: 14, A: 11, T: 10, K: 4, Q: 3 };
const RANKS = { 2: "9TJQKA", 3: "9TJQKA", 4: "789TJQKA" }; // by seats
const LAST_TRICK = 10;
const BELOT = 20;
const VALAT = 9; // match points, as the next one
const KIRTIK = -10;

const PASSED = "pass";
const MOST = 4; // of any kind of declarations
const POINTS = { belot: BELOT, tierce: 20, quarte: 50, quint: 100, square: 100, nines: 150, jacks: 200 };
const KINDS = {
  belot: word("Belot"),
  tierce: word("tierce"),
  quarte: word("quarte"),
  quint: word("quint"),
  square: word("Square"),
  nines: word("Four nines"),
  jacks: word("Four jacks"),
};
const TIMES = { 1: "×1", 2: "×2", 4: "×4", 8: "×8" };

const CONTRACTS = () => ({
  C: [{ suit: "C" }, sayIn("suit", "clubs")],
  D: [{ suit: "D" }, sayIn("suit", "diamonds")],
  H: [{ suit: "H" }, sayIn("suit", "hearts")],
  S: [{ suit: "S" }, sayIn("suit", "spades")],
  [NO_TRUMPS]: [{ letters: sayIn("sign of no trumps, two letters", "NT") }, say("no trumps")],
  [ALL_TRUMPS]: [{ letters: sayIn("sign of all trumps, two letters", "AT") }, say("all trumps")],
});

// What is asked

function bidField(match, names) {
  const bids = range(match.seats).flatMap((seat) =>
    Object.entries(CONTRACTS()).map(([contract, [sign, title]]) =>
      option(`${seat}${contract}`, sign, {
        title: say("{name}: {contract}", { name: names[seat], contract: title }),
        row: contract === "C" ? names[seat] : "",
      }),
    ),
  );
  const options = [...bids, option(PASSED, say("Everybody passed"), { row: " " })];
  return field("bid", say("Contract"), { options, early: true });
}

/** The field for what a side counts. A kind can be chosen again after it has been chosen. */
function declaredField(side, name, contract, answers) {
  const taken = chosen(answers, `declared${side}`).map((each) => each.split(".")[0]);
  const options = Object.entries(POINTS).flatMap(([kind, points]) => {
    const isOne = kind === "nines" || kind === "jacks" || (kind === "belot" && contract !== ALL_TRUMPS);
    const most = Math.min(taken.filter((each) => each === kind).length + 1, isOne ? 1 : MOST);
    const title = capital(say(KINDS[kind]));
    const words = kind === "belot" || kind === "square" ? title : String(points);
    return range(most, 1).map((number) => option(number === 1 ? kind : `${kind}.${number}`, words, { title }));
  });
  const group = side ? "" : say("Declarations and belots that count");
  return field(`declared${side}`, name, { options, kind: "many", group });
}

/** The fields for the points of the cards. The defenders of four seats are asked first: they have fewer. */
function pointFields(match, bidding, contract, answers, sides) {
  const total = totalPoints(match, contract);
  const valats = sides.map((name, side) => option(`v${side}`, say("Valat: {side}", { side: name })));
  const group = say("Card points of {total}, with the last trick", { total });
  const winner = valatOf(answers);
  const fields = [];
  if (match.seats === 4) {
    const options = [...sides.map((name, side) => option(String(side), name)), ...valats];
    fields.push(field("counted", say("Points of"), { options, default: String(1 - bidding), group }));
    if (winner === null) fields.push(field("points", say("Card points"), { most: total }));
  } else {
    const options = [option("all", say("No valat")), ...valats];
    fields.push(field("counted", say("Valat"), { options, default: "all", group }));
    const asked = winner === null ? [0, 1] : match.seats === 2 ? [winner] : [];
    fields.push(...asked.map((side) => field(`points${side}`, sides[side], { most: total })));
  }
  const last = seatOptions(sides).filter(({ value }) => winner === null || value === winner);
  return [...fields, field("last", say("Last trick by"), { options: last, kind: "end", note: say("Save. Last trick by") })];
}

function valatOf(body) {
  const counted = String(body.counted ?? "");
  return counted.startsWith("v") ? Number(counted.slice(1)) : null;
}

// The points of cards

function values(seats, contract) {
  return SUITS.flatMap((suit) => {
    const isTrump = contract === ALL_TRUMPS || contract === suit;
    return [...RANKS[seats]].map((rank) => (isTrump ? TRUMP_POINTS : PLAIN_POINTS)[rank] ?? 0);
  }).sort((one, other) => one - other);
}

const totalPoints = (match, contract) =>
  sum(values(match.seats, contract)) + (match.last_trick_ten ? LAST_TRICK : 0);

const sumsByPack = {};

/** The sums of points that some cards of the pack can have. */
function possibleSums(seats, contract) {
  return (sumsByPack[seats + contract] ??= values(seats, contract).reduce(
    (sums, points) => new Set([...sums, ...[...sums].map((each) => each + points)]),
    new Set([0]),
  ));
}

/** What the sides have taken. Throws CannotBe. */
function count(match, contract, body) {
  const total = totalPoints(match, contract.contract);
  const last = numberOf(body, "last");
  const points = pointsBySide(match, total, body);
  const ten = match.last_trick_ten ? LAST_TRICK : 0;
  const cards = points.map((amount, side) => amount - (side === last ? ten : 0));
  if (cards[last] < 0) {
    throw new CannotBe(say("The last trick alone is {ten} points. Check who took it.", { ten: LAST_TRICK }));
  }
  const possible = possibleSums(match.seats, contract.contract);
  const wrong = cards.find((amount) => !possible.has(amount));
  if (wrong !== undefined) {
    throw new CannotBe(say("No cards are worth {points} points together. Count again.", { points: wrong }));
  }
  const least = total - sum(values(2, contract.contract).slice(-6));
  if (match.seats === 2 && !(least <= sum(points) && sum(points) <= total)) {
    const places = { points: sum(points), least, total };
    throw new CannotBe(
      say("Together these are {points} points. With six cards out it can be from {least} to {total}.", places),
    );
  }
  return { points, valat: valatOf(body), declared: declaredBySide(contract, body, match.sides, valatOf(body)) };
}

/** The points of the cards and of the last trick by side. */
function pointsBySide(match, total, body) {
  const winner = valatOf(body);
  const first = numberOf(body, "points0");
  const second = numberOf(body, "points1");
  if (match.seats === 2) return [first, second];
  if (winner !== null) return range(match.sides).map((side) => (side === winner ? total : 0));
  if (match.seats === 4) {
    const own = numberOf(body, "points");
    return numberOf(body, "counted") === 0 ? [own, total - own] : [total - own, own];
  }
  if (first + second > total) {
    throw new CannotBe(say("Together these are {points} points of {total}.", { points: first + second, total }));
  }
  return [first, second, total - first - second];
}

/** The points of declarations and belots by side. */
function declaredBySide(contract, body, sides, valat) {
  const declarations = Array(sides).fill(0);
  const belots = Array(sides).fill(0);
  for (const side of range(sides)) {
    for (const answer of chosen(body, `declared${side}`)) {
      const kind = answer.split(".")[0];
      (kind === "belot" ? belots : declarations)[side] += POINTS[kind];
    }
  }
  if (declarations.filter(Boolean).length > 1) {
    throw new CannotBe(say("Only one side counts its declarations: the one with the highest."));
  }
  if (valat !== null && sum(declarations) !== declarations[valat]) {
    throw new CannotBe(say("Without a trick a side counts no declarations."));
  }
  if (sum(belots) > BELOT * (contract.contract === ALL_TRUMPS ? MOST : 1)) {
    throw new CannotBe(say("There are not so many belots in this contract."));
  }
  return declarations.map((points, side) => points + belots[side]);
}

// From points to match points

function settle(match, contract, points, valat, hanging) {
  const { sides } = match;
  const outcome = outcomeOf(points, contract.bidder % sides, match.hanging);
  const winners = winningSides(outcome, points, contract.bidder);
  const [amounts, newlyHanging] = divide(contract, outcome, points, winners);
  const pot = share(hanging, winners, sides);
  const kirtik = match.kirtik ? penalties(contract, winners, valat, sides) : Array(sides).fill(0);
  const mp = amounts.map((amount, side) => amount + pot[side] + kirtik[side] + (side === valat ? VALAT : 0));
  return { mp, hanging: winners.length ? 0 : hanging + newlyHanging };
}

function outcomeOf(points, bidding, mayHang) {
  const defenders = sum(points) - points[bidding];
  if (points[bidding] > defenders) return "made";
  return points[bidding] === defenders && mayHang ? "hanging" : "inside";
}

/** The sides that have won the deal. Of two defenders the first gets an odd point. */
function winningSides(outcome, points, bidder) {
  const sides = points.length;
  if (outcome === "hanging") return [];
  if (outcome === "made") return [bidder % sides];
  const defenders = range(sides - 1, 1).map((distance) => (bidder + distance) % sides);
  return defenders.sort((one, other) => points[other] - points[one]);
}

function share(amount, winners, sides) {
  const shares = Array(sides).fill(0);
  for (const side of winners) shares[side] = Math.floor(amount / winners.length);
  if (winners.length) shares[winners[0]] += amount % winners.length;
  return shares;
}

/** The match points of each side, and those that hang. */
function divide(contract, outcome, points, winners) {
  const sides = points.length;
  const bidding = contract.bidder % sides;
  const { level } = contract;
  const limit = { [NO_TRUMPS]: 5, [ALL_TRUMPS]: 4 }[contract.contract] ?? 6;
  const all = inTens(sum(points), limit, false);
  if (outcome === "hanging") {
    if (level > 1) return [Array(sides).fill(0), all * level];
    const amounts = points.map((number, side) => (side === bidding ? 0 : inTens(number, limit, false)));
    return [amounts, inTens(points[bidding], limit, true)];
  }
  if (outcome === "made" && level === 1) return [allInTens(points, limit), 0];
  if (winners.length === 1) return [share(all * level, winners, sides), 0];
  const halves = share(points[bidding], winners, sides);
  const sums = points.map((number, side) => (winners.includes(side) ? number + halves[side] : 0));
  return [allInTens(sums, limit).map((number) => number * level), 0];
}

function penalties(contract, winners, valat, sides) {
  return range(sides).map((side) => {
    const isCommitted = contract.level > 1 || side === contract.bidder % sides;
    const loses = (isCommitted && !winners.includes(side)) || (valat !== null && side !== valat);
    return loses ? KIRTIK : 0;
  });
}

function allInTens(amounts, limit) {
  const highest = Math.max(...amounts);
  const isAlone = amounts.filter((amount) => amount === highest).length === 1;
  return amounts.map((amount) => inTens(amount, limit, amount < highest || !isAlone));
}

function inTens(points, limit, up) {
  const digit = modulo(points, 10);
  return Math.floor(points / 10) + (digit > limit || (digit === limit && up) ? 1 : 0);
}

export const scorer = {
  start(seats, options) {
    const sides = seats === 3 ? 3 : 2;
    const match = { ...options, seats, sides };
    return { match, totals: Array(sides).fill(0), hanging: 0, over: false };
  },

  fields({ match }, answers, names) {
    const sides = sideNames(names, scorer.hasPartners(match.seats));
    const fields = [bidField(match, names)];
    const bid = String(answers.bid ?? "");
    if (bid === "" || bid === PASSED) return fields;
    const levels = (match.third_double ? [1, 2, 4, 8] : [1, 2, 4]).map((level) => option(level, TIMES[level]));
    fields.push(field("level", say("Doubled"), { options: levels, early: true, default: 1 }));
    const contract = bid.slice(1);
    if (contract !== NO_TRUMPS) {
      fields.push(...sides.map((name, side) => declaredField(side, name, contract, answers)));
    }
    return [...fields, ...pointFields(match, Number(bid[0]) % match.sides, contract, answers, sides)];
  },

  add(state, body) {
    const { match } = state;
    if (body.bid === PASSED) return state;
    const contract = { contract: body.bid.slice(1), bidder: Number(body.bid[0]), level: numberOf(body, "level") };
    const { points, valat, declared } = count(match, contract, body);
    const factor = contract.contract === NO_TRUMPS ? 2 : 1;
    const all = points.map((amount, side) => factor * (amount + declared[side]));
    const { mp, hanging } = settle(match, contract, all, valat, state.hanging);
    const totals = state.totals.map((total, side) => total + mp[side]);
    const highest = Math.max(...totals);
    const isAlone = totals.filter((total) => total === highest).length === 1;
    const over = highest >= match.target && isAlone && valat === null;
    return { ...state, totals, hanging, over };
  },

  totals: ({ totals }) => totals,
  isOver: ({ over }) => over,
  heading: () => "",
  hasPartners: (seats) => seats === 4,
};
