// Counts deals as the device does, and compares with lines of JSON on standard input, which Python has counted.
//
// {"game", "seats", "options"} begins a match; {"body", "fields", ...} is a deal with what must follow from it;
// {"entries", ...} is a whole list of entries, with what must follow.

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import { fold } from "../../static/tallies/folding.js";
import { CannotBe, addDeal, read } from "../../static/tallies/scorer.js";
import { scorers } from "../../static/tallies/scorers.js";

const NAMES = ["Ana", "Ben", "Cora", "Dan", "Eva", "Finn", "Gil"];

let setting;
let names;
let state;
let number = 0;

const plain = ({ options, default: usual = null, ...field }) => ({
  ...field,
  default: usual,
  options: options.map(({ value, title, closed, row }) => ({ value, title, closed, row })),
});

const facts = (after) => ({
  totals: setting.scorer.totals(after),
  over: setting.scorer.isOver(after),
  heading: setting.scorer.heading(after),
});

function afterDeal(body) {
  try {
    state = addDeal(setting.scorer, state, body, names);
    return facts(state);
  } catch (error) {
    if (!(error instanceof CannotBe)) throw error;
    return { refusal: error.message };
  }
}

function afterEntries(entries) {
  try {
    const ledger = fold(setting, names, entries);
    return {
      keys: ledger.deals.map(({ key }) => key),
      open: ledger.open?.key ?? null,
      last: ledger.deals.map(({ history }) => history.at(-1).id),
      waiting: ledger.waiting.map(({ id }) => id),
      next: ledger.nextKey,
      ended: ledger.isEnded,
      dealer: ledger.dealer,
      ...facts(ledger.state),
    };
  } catch (error) {
    if (!(error instanceof CannotBe)) throw error;
    return { refusal: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { game, seats, options, body, entries, data, fields, reading, after } = JSON.parse(line);
  if (game) {
    setting = { scorer: scorers[game], seats, options };
    names = NAMES.slice(0, seats);
    state = setting.scorer.start(seats, options);
    assert.deepEqual(facts(state), after, line);
    continue;
  }
  if (fields) assert.deepEqual(setting.scorer.fields(state, body, names).map(plain), fields, line);
  if (data) {
    const { answers, missing, refusals } = read(setting.scorer, state, data, names);
    assert.deepEqual({ answers, missing: missing.map(({ name }) => name), refusals }, reading, line);
  }
  const own = entries ? afterEntries(entries) : afterDeal(body);
  if (after.refusal === "") assert.ok(own.refusal, line);
  else assert.deepEqual(own, after, line);
  number += 1;
}

process.stdout.write(String(number));
