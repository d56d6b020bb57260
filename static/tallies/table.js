// A tally on this device: how it stands, the form for the next deal, the sheet, and what the site has refused.

import { make } from "../site/elements.js";
import { STEP, fold } from "./folding.js";
import { drawForm } from "./form.js";
import { clear } from "./keypad.js";
import { dealWord, noRoom, uuid } from "./lists.js";
import { send } from "./outbox.js";
import { CannotBe, asData, read, sideNames } from "./scorer.js";
import { scorers } from "./scorers.js";
import { add, drop, keep, remove, replace } from "./shelf.js";
import { capital, say, sayIn } from "./words.js";

const ME = 0; // the place of this device's user among the writers
const DRAFT = "valat.draft"; // in sessionStorage: the form that was on its way when the network was lost
const NEXT = { key: null, inserts: false, data: null };
// The tally, the deal that is corrected or null, whether a forgotten one is inserted before it, the values of the form.
const shown = { id: "", ...NEXT };

/** Show a tally. games: from the page. redraw: draws the page again after a change. */
export function showTally(view, tally, { games, redraw }) {
  if (shown.id !== tally.id) begin(tally);
  const game = games.find(({ slug }) => slug === tally.game);
  const drawAgain = () => showTally(view, tally, { games, redraw });
  const own = { tally, games, redraw, drawAgain, view, setting: { ...tally, scorer: scorers[tally.game] } };
  const title = make("h1", {}, game?.name ?? tally.game);
  if (!own.setting.scorer || game?.version !== tally.version) {
    const sentence = say("This device cannot count this tally: it needs the site for it.");
    view.replaceChildren(title, make("p", { className: "notice warn" }, sentence));
    return;
  }
  const { ledger, error } = ledgerOf(own);
  Object.assign(own, { ledger });
  const parts = [drawTop(own), ...drawWaiting(own), ...drawProblem(own)];
  if (error) parts.push(make("p", { className: "notice bad", role: "alert" }, error));
  const place = placeOf(ledger);
  if (!ledger.isEnded || shown.key !== null) parts.push(drawEntry(own, place));
  parts.push(drawSheet(own), drawActs(own));
  const focused = document.activeElement?.id;
  view.replaceChildren(make("div", { className: "split" }, title, ...drawUndo(own)), ...parts);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function begin(tally) {
  Object.assign(shown, { id: tally.id, ...NEXT });
  clear();
  try {
    const draft = JSON.parse(sessionStorage.getItem(DRAFT));
    if (draft?.code === tally.code) shown.data = draft.data;
    sessionStorage.removeItem(DRAFT);
  } catch {
    // There is none.
  }
}

// Counting

const entriesOf = ({ entries, unsent }) => [...entries, ...unsent.map((entry) => ({ ...entry, by: ME }))];

/** The ledger with the unsent entries; without them if they do not fit any more. */
function ledgerOf({ setting, tally }) {
  try {
    return { ledger: fold(setting, tally.names, entriesOf(tally)) };
  } catch (error) {
    if (!(error instanceof CannotBe)) throw error;
    return { ledger: fold(setting, tally.names, tally.entries), error: error.message };
  }
}

/** The totals: those of the site, and what is not sent yet in addition. */
function totalsOf({ setting, tally, ledger }) {
  const totals = setting.scorer.totals(ledger.state);
  if (!tally.totals) return totals;
  const there = setting.scorer.totals(fold(setting, tally.names, tally.entries).state);
  return totals.map((total, side) => tally.totals[side] + total - there[side]);
}

/** The deal that the form is about: one that is corrected, or the next one. */
function placeOf(ledger) {
  const index = ledger.deals.findIndex(({ key }) => key === shown.key);
  const before = index >= 0 && keyBefore(ledger, index);
  if (before && shown.inserts) return { key: before, index, body: {}, seen: "", isNew: true };
  if (index >= 0) {
    const { key, body, history } = ledger.deals[index];
    return { key, index, body, seen: history.at(-1).id, isNew: false };
  }
  Object.assign(shown, { key: null, inserts: false });
  const { open } = ledger;
  if (!open) return { key: ledger.nextKey, index: ledger.deals.length, body: {}, seen: "", isNew: true };
  const position = ledger.deals.filter(({ key }) => key < open.key).length;
  return { key: open.key, index: position, body: open.early ?? {}, seen: open.history.at(-1).id, isNew: true };
}

/** The key for a deal before another one, or 0 if there is no room. */
function keyBefore({ deals }, index) {
  const earlier = deals[index - 1]?.key ?? 0;
  const middle = Math.floor((earlier + deals[index].key) / 2);
  return middle > earlier ? middle : 0;
}

const signed = (number) => {
  const whole = Math.floor(Math.abs(number));
  const figures = Math.abs(number) % 1 ? `${whole || ""}½` : String(whole);
  return number < 0 ? `−${figures}` : figures;
};

// Writing

/** Keep an entry and send it. Returns a sentence if that cannot be. */
async function write({ setting, tally, redraw }, entry) {
  const made = { id: uuid(), deal: 0, body: {}, seen: "", ...entry };
  try {
    fold(setting, tally.names, [...entriesOf(tally), { ...made, by: ME }]);
    await add(tally, made);
  } catch (error) {
    if (error instanceof CannotBe) return error.message;
    if (error instanceof DOMException) return noRoom();
    throw error;
  }
  Object.assign(shown, NEXT);
  clear();
  document.getElementById("tally-entry")?.setAttribute("data-entered", ""); // Its answers are not for the next deal.
  await redraw();
  send();
  return "";
}

// How it stands

function drawTop(own) {
  const { tally, ledger, setting, games } = own;
  const { scorer } = setting;
  const totals = totalsOf(own);
  const best = Math.max(...totals);
  const box = make("section", { id: "tally-top", ariaLabel: say("How it stands") });
  const list = make("ul", { className: "standing plain", role: "list" });
  for (const [side, name] of sidesOf(own).entries()) {
    const leads = ledger.deals.length && totals[side] === best;
    const item = make("li", { className: leads ? "leads" : "" }, make("span", {}, name), " ", make("b", {}, signed(totals[side])));
    list.append(item);
  }
  box.append(list);
  if (ledger.isEnded) {
    box.append(make("p", { className: "notice good", role: "status" }, say("It is over.")));
  } else {
    const heading = scorer.heading(ledger.state);
    const deal = `${dealWord(games, tally.game)} ${ledger.deals.length + 1}${heading && `, ${heading}`}.`;
    const dealer = say("{dealer} deals.", { dealer: tally.names[ledger.dealer] });
    box.append(make("p", { className: "muted" }, `${deal} ${dealer}`));
  }
  return box;
}

/** What two people have entered for the same deal: both stay until somebody chooses. */
function drawWaiting(own) {
  const { ledger, tally, games } = own;
  const nameOf = (entry) => tally.writers[entry?.by] || say("somebody");
  return ledger.waiting.map((entry) => {
    const deal = [...ledger.deals, ledger.open].find((each) => each?.key === entry.deal);
    const last = deal?.history.at(-1);
    const index = ledger.deals.indexOf(deal);
    const number = (index < 0 ? ledger.deals.length : index) + 1;
    const bodies = [deal?.body ?? deal?.early, entry.body];
    const list = make("dl", {});
    for (const [place, writer] of [last, entry].entries()) {
      const words = describe(own, ledger, bodies[place], entry.deal, bodies[1 - place]);
      list.append(make("dt", { translate: false }, nameOf(writer)), make("dd", {}, words));
    }
    const choose = (take) => async () => {
      const body = { entry: entry.id, take };
      const why = await write(own, { kind: "choose", deal: entry.deal, seen: last?.id ?? "", body });
      if (why) list.after(make("p", { role: "alert" }, why));
    };
    const keepIt = button(say("Keep the entry of {name}", { name: nameOf(last) }), "small", choose(false));
    const takeIt = button(say("Take the entry of {name}", { name: nameOf(entry) }), "small", choose(true));
    const heading = say("{word} {number} was entered twice.", { word: dealWord(games, tally.game), number });
    const inside = make("div", {}, make("p", {}, make("b", {}, heading)), list, make("div", { className: "row" }, keepIt, takeIt));
    return make("div", { className: "notice warn two-entries", role: "alert" }, inside);
  });
}

const sidesOf = ({ setting, tally }) => sideNames(tally.names, setting.scorer.hasPartners(tally.seats));

// The form

function drawEntry(own, place) {
  const { setting, tally, ledger, games } = own;
  const state = ledger.states[place.index];
  const reading = read(setting.scorer, state, shown.data ?? asData(place.body), tally.names);
  const form = drawForm(shown.data ? reading : { ...reading, refusals: [] }, place, shown.error);
  shown.error = "";
  form.addEventListener("change", ({ target }) => {
    if (target.type === "number") return;
    shown.data = valuesOf(form);
    own.drawAgain();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    shown.data = valuesOf(form, event.submitter);
    const now = read(setting.scorer, state, shown.data, tally.names);
    const entry = entryOf(now, place, event.submitter?.value === "early");
    shown.error = typeof entry === "string" ? entry : await write(own, entry);
    if (shown.error) own.drawAgain();
  });
  if (shown.key === null) return form;
  const numbered = { word: dealWord(games, tally.game), number: place.index + 1 };
  const words = place.isNew ? say("Insert {word} {number}", numbered) : say("Correct {word} {number}", numbered);
  const back = button(say("Back to the sheet"), "quiet", () => turn(own, NEXT));
  const acts = place.isNew ? [back] : [drawErase(own, place), back];
  const box = make("section", { className: "stack" }, make("h2", {}, words), form, make("p", { className: "row" }, ...acts));
  if (!place.isNew && keyBefore(ledger, place.index)) {
    const insert = () => turn(own, { ...NEXT, key: place.key, inserts: true });
    box.append(make("p", {}, button(say("Insert a forgotten deal before this one"), "quiet", insert)));
  }
  return box;
}

function drawErase(own, { key, seen }) {
  return button(say("Delete this deal"), "danger", async () => {
    if (!confirm(say("Delete this deal? All later totals change."))) return;
    shown.error = await write(own, { kind: "delete", deal: key, seen });
    if (shown.error) own.drawAgain();
  });
}

/** Show the form of another deal. */
function turn(own, to) {
  Object.assign(shown, to);
  clear();
  own.drawAgain();
}

/** Keep what somebody has filled in while the form is drawn anew. */
export function keepForm() {
  shown.data = valuesOf(document.getElementById("tally-entry"));
}

/** The values of a form: lists of texts by the name of the field. */
function valuesOf(form, submitter) {
  const data = new FormData(form, submitter?.name ? submitter : null);
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name)]));
}

/** The entry that a reading makes, or a sentence if it is not complete. */
function entryOf({ answers, fields, missing, refusals }, { key, seen, isNew }, isEarly) {
  if (refusals.length) return refusals[0];
  if (isEarly) {
    const early = fields.filter(({ name, early: known }) => known && name in answers);
    return { kind: "bid", deal: key, seen, body: Object.fromEntries(early.map(({ name }) => [name, answers[name]])) };
  }
  if (missing.length) return say("{label}: choose or enter something.", { label: missing[0].label });
  return { kind: isNew ? "result" : "correct", deal: key, seen, body: answers };
}

function button(words, kind, act) {
  const made = make("button", { type: "button", className: `button ${kind}` }, words);
  made.addEventListener("click", act);
  return made;
}

// The sheet, and what else can be done

function drawSheet(own) {
  const { ledger, setting, tally, games } = own;
  const box = make("section", { id: "tally-sheet", ariaLabel: say("Score sheet") });
  if (!ledger.deals.length) return box;
  const sides = sidesOf(own);
  const head = make("tr", {}, make("th", { scope: "col" }, dealWord(games, tally.game)));
  head.append(...sides.map((name) => make("th", { scope: "col" }, name)));
  const body = make("tbody");
  const totals = ledger.states.map((each) => setting.scorer.totals(each));
  for (const [index, { key }] of ledger.deals.entries()) {
    const correct = button(String(index + 1), "quiet small", () => turn(own, { ...NEXT, key }));
    correct.ariaLabel = say("Correct {word} {number}", { word: dealWord(games, tally.game), number: index + 1 });
    const cells = sides.map((_, side) => {
      const [before, after] = [totals[index][side], totals[index + 1][side]];
      return make("td", {}, `${signed(after - before)} `, make("b", {}, signed(after)));
    });
    body.prepend(make("tr", {}, make("th", { scope: "row" }, correct), ...cells));
  }
  box.append(make("table", { className: "data device-sheet" }, make("thead", {}, head), body));
  return box;
}

function drawUndo(own) {
  const { tally } = own;
  const entries = entriesOf(tally);
  const undone = new Set(entries.filter(({ kind }) => kind === "undo").map(({ body }) => body.entry));
  const standing = entries.filter(({ id, kind }) => kind !== "undo" && !undone.has(id));
  const last = standing.findLast(({ by, kind }) => by === ME && kind !== "choose");
  if (!last) return [];
  const isChanged = standing.slice(standing.indexOf(last) + 1).some(({ deal }) => deal && deal === last.deal);
  if (isChanged) return [];
  return [button(say("Undo"), "small", () => write(own, { kind: "undo", body: { entry: last.id } }))];
}

function drawActs(own) {
  const { ledger, tally } = own;
  const box = make("div", { className: "row" });
  if (ledger.isClosed) box.append(button(say("Go on with it"), "", () => write(own, { kind: "reopen" })));
  else if (ledger.deals.length && !ledger.isOver) {
    box.append(button(say("Finish here"), "", () => write(own, { kind: "finish" })));
  }
  if (tally.code) box.append(make("a", { className: "button quiet", href: `/tallies/${tally.code}/` }, say("Sheet on the site")));
  box.append(make("a", { className: "button quiet", href: "/tallies/offline/#" }, say("All tallies on this device")));
  return box;
}

// What the site has refused

function drawProblem(own) {
  const { tally, ledger, setting, redraw } = own;
  const { problem } = tally;
  if (!problem) return [];
  const again = async (work = () => {}) => {
    await work();
    await keep({ ...tally, problem: null });
    await redraw();
    send();
  };
  const box = make("div", { className: "notice warn two-entries", role: "alert" });
  const inside = make("div");
  box.append(inside);
  const entry = tally.unsent.find(({ id }) => id === problem.id);
  if (problem.gone) {
    inside.append(make("p", {}, say("This tally is no longer on the site, or you may not write in it any more.")));
    inside.append(button(say("Remove it from this device"), "danger small", () => remove(tally).then(redraw)));
    return [box];
  }
  const there = fold(setting, tally.names, tally.entries);
  const deal = entry && entry.kind !== "choose" && problem.stale && [...there.deals, there.open].find((each) => each?.key === entry.deal);
  const row = make("div", { className: "row" });
  if (deal) {
    const list = make("dl", {});
    list.append(make("dt", {}, say("On the site")), make("dd", {}, describe(own, there, deal.body ?? deal.early, deal.key)));
    list.append(make("dt", {}, say("On this device")), make("dd", {}, describe(own, there, entry.body, deal.key)));
    inside.append(make("p", {}, make("b", {}, say("You have entered this deal on two devices."))), list, row);
    row.append(button(say("Keep that of the site"), "small", () => again(() => drop(entry.number))));
    const seen = deal.history.at(-1).id;
    row.append(button(say("Take that of this device"), "small", () => again(() => replace([{ ...entry, seen }]))));
    if (entry.kind === "result") {
      const moved = tally.unsent.filter((each) => each.deal === entry.deal);
      const key = keyBeside(entry.deal, there, ledger);
      row.append(button(say("They are two deals"), "small", () => again(() => replace(moved.map((each) => ({ ...each, deal: key }))))));
    }
    return [box];
  }
  inside.append(make("p", {}, problem.refusal), row);
  row.append(button(say("Try again"), "small", () => again()));
  if (entry) {
    inside.insertBefore(make("p", { className: "muted" }, describe(own, there, entry.body, entry.deal)), row);
    row.append(button(say("Discard this entry"), "danger small", () => again(() => drop(entry.number))));
  } else {
    row.append(button(say("Remove it from this device"), "danger small", () => remove(tally).then(redraw)));
  }
  return [box];
}

/** The key for a second deal: after all others; for one that was forgotten, between it and the next. */
function keyBeside(key, ...ledgers) {
  const later = ledgers.flatMap(({ deals }) => deals.map((deal) => deal.key)).filter((other) => other > key);
  const middle = later.length ? Math.floor((key + Math.min(...later)) / 2) : key;
  return key % STEP && middle > key ? middle : Math.max(...ledgers.map(({ nextKey }) => nextKey));
}

/** The answers about a deal in words. other: answers to compare with; then only those that differ, if any do. */
function describe({ setting, tally }, ledger, body, key, other = {}) {
  if (!body || !Object.keys(body).length) return sayIn("a deal", "deleted");
  const index = ledger.deals.findIndex((deal) => deal.key === key);
  const fields = setting.scorer.fields(ledger.states.at(index), body, tally.names);
  const answered = fields.filter(({ name }) => name && name in body);
  const differing = answered.filter(({ name }) => String(body[name]) !== String(other[name]));
  return (differing.length ? differing : answered).map(({ label, options, name }) => `${label}: ${wordsOf(options, body[name])}`).join("; ");
}

function wordsOf(options, answer) {
  const values = [answer].flat().map(String);
  if (!options.length) return values.join(", ");
  const taken = options.filter(({ value }) => values.includes(String(value)));
  return taken.map(({ title, words }) => title || capital(String(words))).join(", ") || "–";
}
