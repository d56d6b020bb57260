// From the entries of a tally to its deals and its score, as games/tallies/folding.py does it.

import { CannotBe, addDeal } from "./scorer.js";
import { say } from "./words.js";

export const STEP = 1000; // between the keys of two deals

const OF_DEALS = ["bid", "result", "correct", "delete", "choose"];

/**
 * What follows from the entries: {deals, dealer, open, waiting, states, state, nextKey, isClosed, isOver, isEnded}.
 *
 * setting: {scorer, seats, options}. A deal is {key, early, body, history}. Throws CannotBe if a deal does not fit.
 */
export function fold(setting, names, entries) {
  const ledger = { waiting: [], nextKey: STEP, isClosed: false };
  const deals = new Map();
  for (const entry of counted(entries)) {
    if (OF_DEALS.includes(entry.kind)) {
      ledger.nextKey = Math.max(ledger.nextKey, entry.deal + STEP);
      note(ledger, deals, entry);
    } else {
      ledger.isClosed = entry.kind === "finish";
    }
  }
  const ordered = [...deals.values()].filter(({ isDeleted }) => !isDeleted).sort((one, other) => one.key - other.key);
  ledger.deals = ordered.filter(({ body }) => body);
  ledger.dealer = (ledger.deals.length - 1 + names.length) % names.length; // of the next deal: everybody in turn
  ledger.open = ordered.findLast(({ body }) => !body) ?? null;
  ledger.states = score(setting, names, ledger.deals);
  ledger.state = ledger.states.at(-1);
  ledger.isOver = setting.scorer.isOver(ledger.state);
  ledger.isEnded = ledger.deals.length > 0 && (ledger.isOver || ledger.isClosed);
  return ledger;
}

/** The entries that count: each id once, without those that were taken back. */
function counted(entries) {
  const byId = new Map();
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry);
  const each = [...byId.values()];
  const undone = new Set(each.filter(({ kind }) => kind === "undo").map(({ body }) => body.entry));
  return each.filter(({ id, kind }) => kind !== "undo" && !undone.has(id));
}

function note(ledger, deals, entry) {
  const deal = deals.get(entry.deal);
  if (entry.kind === "choose") {
    const place = ledger.waiting.findIndex(({ id }) => id === entry.body.entry);
    if (place < 0) return; // It was taken back, or somebody has chosen before.
    const [other] = ledger.waiting.splice(place, 1);
    if (entry.body.take) apply(deals, other, [other, entry]);
    else if (deal && !deal.isDeleted) deal.history.push(entry);
    return;
  }
  const last = deal?.history.at(-1);
  if (last && last.id !== entry.seen && last.by !== entry.by) ledger.waiting.push(entry);
  else apply(deals, entry, [entry]);
}

function apply(deals, entry, history) {
  const deal = deals.get(entry.deal) ?? { key: entry.deal, early: null, body: null, history: [] };
  deals.set(entry.deal, deal);
  deal.history.push(...history);
  deal.isDeleted = entry.kind === "delete";
  if (deal.isDeleted) deal.early = deal.body = null;
  else if (entry.kind === "bid") deal.early = entry.body;
  else deal.body = entry.body;
}

/** The states before each deal, and after the last. */
function score({ scorer, seats, options }, names, deals) {
  const states = [scorer.start(seats, options)];
  for (const [index, { body }] of deals.entries()) {
    try {
      states.push(addDeal(scorer, states.at(-1), body, names));
    } catch (error) {
      if (!(error instanceof CannotBe) || index === deals.length - 1) throw error;
      const places = { number: index + 1, why: error.message };
      throw new CannotBe(say("Then number {number} would not fit any more. {why}", places));
    }
  }
  return states;
}
