// The score of a game at a real table, counted on the device: the same as games/kit/tallies.py, which has the last word.
//
// A scorer has start(seats, options), fields(state, answers, names), add(state, body), totals(state),
// isOver(state), heading(state). Answers are numbers, texts or lists of texts.

import { joinWords, say } from "./words.js";

export const NOBODY = -1; // an answer in place of a seat

const LONGEST = 4;
const UNFIT = () => say("These answers do not fit together. Enter the deal again.");

/** A deal that cannot be. Its message is a sentence for players. */
export class CannotBe extends Error {}

export const range = (number, first = 0) => Array.from({ length: number }, (_, index) => first + index);
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
/** The remainder from 0, also of negative numbers. */
export const modulo = (number, divisor) => ((number % divisor) + divisor) % divisor;
export const has = (answers, name) => Object.hasOwn(answers, name);
export const numberOf = (body, name) => Number(body[name] || 0);
export const chosen = (body, name) => (Array.isArray(body[name]) ? body[name].map(String) : []);

/** An option: its value and words; more: title, closed (why the rules forbid it), row (the heading of a new line). */
export const option = (value, words, more = {}) => ({ value, words, title: "", closed: "", row: "", ...more });

/** A question. Without options the answer is a number; without a name it is only a text. */
export const field = (name, label, more = {}) => ({
  name,
  label,
  options: [],
  kind: "one",
  least: 0,
  most: 0,
  early: false,
  group: "",
  note: "",
  folded: false,
  ...more,
});

/** An option for each seat or side. nobody: whether there is one for nobody before them. */
export function seatOptions(names, nobody = false) {
  const seats = names.map((name, seat) => option(seat, name));
  return nobody ? [option(NOBODY, say("Nobody")), ...seats] : seats;
}

/** The names of the two sides, or of the seats if everybody plays alone. */
export const sideNames = (names, hasPartners) =>
  hasPartners ? [0, 1].map((side) => joinWords(names.filter((_, seat) => seat % 2 === side))) : [...names];

const same = (one, other) =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((each, index) => each === other[index])
    : one === other;

/** Read answers from the values of a form: lists of texts by field. Returns {answers, fields, missing, refusals}. */
export function read(scorer, state, data, names) {
  let answers = {};
  for (;;) {
    const fields = scorer.fields(state, answers, names);
    const kept = Object.fromEntries(
      fields.filter(({ name }) => has(answers, name)).map(({ name }) => [name, answers[name]]),
    );
    const refusals = [];
    for (const each of fields) {
      if (!each.name || (has(kept, each.name) && each.kind !== "many")) continue;
      const { answer, refusal } = answerOf(each, data[each.name] ?? []);
      if (refusal) refusals.push(refusal);
      if (answer !== undefined && !same(answer, kept[each.name])) {
        kept[each.name] = answer;
        break; // It may change the fields after it, and its own options.
      }
    }
    const answered = Object.keys(kept);
    if (answered.length === Object.keys(answers).length && answered.every((name) => same(kept[name], answers[name]))) {
      const missing = fields.filter(({ name }) => name && !has(answers, name));
      return { answers, fields, missing, refusals };
    }
    answers = kept;
  }
}

function answerOf(question, given) {
  const texts = given.map((text) => text.trim()).filter(Boolean);
  if (question.kind === "many") {
    const known = new Set(question.options.map(({ value }) => String(value)));
    return { answer: [...new Set(texts)].filter((text) => known.has(text)) };
  }
  if (!texts.length) return { answer: question.default };
  if (!question.options.length) return numberIn(question, texts.at(-1));
  const found = question.options.find(({ value }) => String(value) === texts.at(-1));
  return found && !found.closed ? { answer: found.value } : { refusal: found?.closed };
}

function numberIn({ label, least, most }, text) {
  const number = /^-?\d+$/.test(text) && text.replace("-", "").length <= LONGEST ? Number(text) : NaN;
  if (number >= least && number <= most) return { answer: number };
  return { refusal: say("{label}: enter a whole number from {least} to {most}.", { label, least, most }) };
}

export const asData = (body) =>
  Object.fromEntries(
    Object.entries(body).map(([name, answer]) => [name, [answer].flat().map(String)]),
  );

/** The state after a deal. Throws CannotBe if a question is open, an answer unknown, or the deal cannot be. */
export function addDeal(scorer, state, body, names) {
  if (scorer.isOver(state)) throw new CannotBe(say("The match is over. Finish the tally, or correct a deal first."));
  const data = asData(body);
  const left = new Set(Object.keys(body));
  for (const each of scorer.fields(state, body, names)) {
    if (!each.name) continue;
    const { answer, refusal } = answerOf(each, data[each.name] ?? []);
    if (refusal) throw new CannotBe(refusal);
    if (!has(body, each.name)) throw new CannotBe(say("{label}: choose or enter something.", { label: each.label }));
    if (!same(answer, body[each.name])) throw new CannotBe(UNFIT());
    left.delete(each.name);
  }
  if (left.size) throw new CannotBe(UNFIT());
  return scorer.add(state, body);
}
