// Hands of Oh Hell at a real table, as games/oh_hell/tally.py counts them.

import { field, has, numberOf, option, range, sum } from "../tallies/scorer.js";
import { capital, say, sayCount, sayIn } from "../tallies/words.js";

const FULL_HAND = { 3: 10, 4: 10, 5: 10, 6: 8, 7: 7 };
const MADE = 10;
const SUITS = () => ({
  C: sayIn("suit", "clubs"),
  D: sayIn("suit", "diamonds"),
  H: sayIn("suit", "hearts"),
  S: sayIn("suit", "spades"),
});

/** The number of cards in each hand of a match. */
function sizesOf(seats, style) {
  const up = range(FULL_HAND[seats], 1);
  const six = range(6, 1);
  const down = (hands) => hands.toReversed();
  return {
    long: [...down(up), ...up.slice(1)],
    "long-inverted": [...up, ...down(up).slice(1)],
    "short-up-and-down": [...down(six), ...six.slice(1)],
    "short-up": up,
    "short-down": down(up),
  }[style];
}

const between = (match, played, totals) => ({ match, played, totals });
const numberNow = ({ match, played }) => Math.min(played + 1, match.sizes.length);
const cardsNow = (state) => state.match.sizes[numberNow(state) - 1];

const dealerOf = (state) => (numberNow(state) - 2 + state.match.seats) % state.match.seats;

/** The seats in the order of their bids. The dealer is the last. */
const inTurn = (state) => range(state.match.seats, dealerOf(state) + 1).map((seat) => seat % state.match.seats);

const numbers = (most, closed = {}) =>
  range(most + 1).map((number) => option(number, String(number), { closed: closed[number] ?? "" }));

function pointsOf(style, bid, took) {
  if (style === "negative") return took === bid ? MADE : -MADE * Math.abs(took - bid);
  if (took === bid) return MADE + took;
  return style === "positive" ? took : 0;
}

function bidFields(state, answers, names) {
  const turn = inTurn(state);
  const others = turn.slice(0, -1);
  const cards = cardsNow(state);
  const bids = others.map((seat) => answers[`bid${seat}`]).filter(Number.isInteger);
  const hook = bids.length === others.length ? cards - sum(bids) : -1;
  const forbidden = {
    [hook]: say("The bids must not add up to {cards}. The dealer bids another number.", { cards }),
  };
  return turn.map((seat, place) =>
    field(`bid${seat}`, names[seat], {
      options: numbers(cards, place === others.length ? forbidden : {}),
      early: true,
      group: place ? "" : say("Bids"),
    }),
  );
}

function trickFields(state, answers, names) {
  const turn = inTurn(state);
  const others = turn.slice(0, -1);
  const cards = cardsNow(state);
  let left = cards;
  const fields = others.map((seat, place) => {
    const tooMany = range(cards - left, left + 1).map((number) => [
      number,
      say("That makes {taken} tricks, but the hand has only {cards}. Check who took how many.", {
        taken: cards - left + number,
        cards,
      }),
    ]);
    left -= numberOf(answers, `took${seat}`);
    const options = numbers(cards, Object.fromEntries(tooMany));
    return field(`took${seat}`, names[seat], { options, group: place ? "" : say("Tricks taken") });
  });
  if (left >= 0 && others.every((seat) => has(answers, `took${seat}`))) {
    fields.push(field("", names[turn.at(-1)], { note: sayCount(left, "{number} trick", "{number} tricks") }));
  }
  return fields;
}

export const scorer = {
  start: (seats, { game_style: style, scoring_style: scoring }) =>
    between({ seats, scoring, sizes: sizesOf(seats, style) }, 0, Array(seats).fill(0)),

  fields(state, answers, names) {
    const suits = Object.entries(SUITS()).map(([suit, title]) => option(suit, { suit }, { title: capital(title) }));
    const trumps = [option("", "–", { title: say("Not noted") }), ...suits];
    const fields = [field("trump", say("Trumps"), { options: trumps, early: true, default: "" })];
    fields.push(...bidFields(state, answers, names));
    return has(answers, `bid${dealerOf(state)}`) ? [...fields, ...trickFields(state, answers, names)] : fields;
  },

  add(state, body) {
    const { seats, scoring } = state.match;
    const taken = range(seats).map((seat) => numberOf(body, `took${seat}`));
    const dealer = dealerOf(state);
    taken[dealer] = cardsNow(state) - sum(taken);
    const points = taken.map((took, seat) => pointsOf(scoring, numberOf(body, `bid${seat}`), took));
    return between(state.match, state.played + 1, state.totals.map((total, seat) => total + points[seat]));
  },

  totals: ({ totals }) => totals,
  isOver: ({ match, played }) => played === match.sizes.length,
  heading: (state) => sayCount(cardsNow(state), "{number} card each", "{number} cards each"),
  hasPartners: () => false,
};
