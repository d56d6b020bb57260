// A browser against a server that cheats: whatever it tries once it knows the browser's share is seen, or gains nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { check, commitment, gaps, keyOf, shuffled } from "../../static/replay/shuffle_check.js";
import * as notes from "../../static/site/notes.js";

const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };

const PACK = ["C", "D", "H", "S"].flatMap((suit) => [..."789TJQKA"].map((rank) => rank + suit));
const SEATS = 4;
const DEALING = { pack: PACK, packets: [[3, 2, 3]], draws: false, parts: [], added: [] };
const CODE = "abcd2345";
const hex = (byte) => byte.toString(16).padStart(2, "0").repeat(32);

/** What the server publishes of a match of two deals with this seed and these shares, in the order of sitting down. */
async function published(seed, entropies, { teams = [null, null, null, null] } = {}) {
  const match = {
    scheme: "valat-shuffle-2",
    code: CODE,
    seed,
    seed_hash: await commitment(seed),
    entropies,
    entropy_hashes: await Promise.all(entropies.map((share) => (share ? commitment(share) : ""))),
    teams,
    dealing: DEALING,
    deals: [],
  };
  const key = await keyOf(seed);
  match.seats = seatsBy(await shuffled([0, 1, 2, 3], match, key, 0), entropies);
  for (const number of [1, 2]) {
    const deck = await shuffled(PACK, match, key, number);
    match.deals.push({ number, pack: PACK, deck, moves: 1 + 40 * (number - 1) });
  }
  return match;
}

/** The seats by place: shares in their order first, then who gave none. */
function seatsBy(lot, entropies) {
  const order = [...entropies.keys()].sort((one, other) =>
    (entropies[one] || "~") < (entropies[other] || "~") ? -1 : (entropies[one] || "~") > (entropies[other] || "~") ? 1 : one - other,
  );
  const seats = [];
  order.forEach((place, index) => (seats[place] = lot[index]));
  return seats;
}

/** Whom each card of a deck of 32 is dealt to, in packets of 3, 2 and 3. */
function dealtTo(number) {
  const turns = [0, 1, 2, 3].map((turn) => (number - 1 + turn) % SEATS);
  return [3, 2, 3].flatMap((cards) => turns.flatMap((seat) => Array(cards).fill(seat)));
}

/** What an honest browser at `place` notes of a match that is played as it is published. */
async function noted(match, place) {
  const { scheme, seed_hash: seedHash, entropy_hashes: hashes, teams, dealing } = match;
  const seat = match.seats[place];
  const hands = Object.fromEntries(
    match.deals.map(({ number, deck, moves }) => [number, { [seat]: seen(deck.filter((_, index) => dealtTo(number)[index] === seat), moves) }]),
  );
  return { promise: { scheme, seedHash, hashes, teams, dealing, place }, share: match.entropies[place], told: true, hands };
}

/** A hand as it is noted. */
const seen = (cards, moves) => Object.fromEntries(cards.map((card) => [card, moves]));

const MINE = hex(0x5a);
const THEIRS = hex(0x17);
const SEED = hex(0xee);
const honest = await published(SEED, [THEIRS, MINE, "", ""]);
const mine = await noted(honest, 1);
const wrong = async (match, known = mine) =>
  [...(await check(match, known))].filter(([, ok]) => ok === false).map(([name]) => name);

test("an honest server is believed", async () => {
  assert.deepEqual(new Set((await check(honest, mine)).values()), new Set([true]));
});

test("without notes all that is said is compared, and what can't be is not claimed", async () => {
  const found = await check(honest, null);

  assert.equal(found.get("notes"), null);
  assert.equal(found.get("hands"), null);
  assert.equal(found.get(1), true);
});

test("the match's code and the order of sitting down change no deck, and no seat of an honest browser", async () => {
  const other = await published(SEED, ["", MINE, "", THEIRS]);
  other.code = "zzzz9999";

  assert.deepEqual(other.deals, honest.deals);
  assert.equal(other.seats[1], honest.seats[1]);
});

const { seed_hash, entropy_hashes } = honest;
const LIES = [
  ["another seed", hex(0xef), [THEIRS, MINE, "", ""], {}, ["notes", "hands"]],
  ["another seed, with the hash that was promised", hex(0xef), [THEIRS, MINE, "", ""], { seed_hash }, ["seed", "hands"]],
  ["another share of a player in league with the server", SEED, [hex(0x18), MINE, "", ""], {}, ["notes", "hands"]],
  ["such a share, with the hash that was promised", SEED, [hex(0x18), MINE, "", ""], { entropy_hashes }, ["shares", "hands"]],
  ["a share of a bot, found after the list was closed", SEED, [THEIRS, MINE, hex(0x99), ""], {}, ["notes", "hands"]],
];
for (const [lie, seed, shares, hashes, seenBy] of LIES) {
  test(`${lie}, is seen`, async () => assert.deepEqual(await wrong({ ...(await published(seed, shares)), ...hashes }), seenBy));
}

test("a share that did not come, as far as this browser knows, is no lie, and proves nothing", async () => {
  const other = await published(SEED, [THEIRS, "", "", ""]);
  const match = { ...other, entropy_hashes: honest.entropy_hashes };
  const note = { ...(await noted(other, 1)), promise: mine.promise, share: MINE, told: undefined };

  assert.deepEqual(await wrong(match, note), []);
  assert.equal((await check(match, note)).get("notes"), null);
  assert.ok((await wrong(match)).includes("notes")); // where the server has said that it came
  assert.equal((await check(honest, { ...mine, told: undefined })).get("notes"), true); // it came all the same
});

test("another way to shuffle than was promised is seen", async () => {
  for (const scheme of ["valat-shuffle-1", "valat-shuffle-2 or so", ""]) {
    assert.ok((await wrong({ ...honest, scheme })).includes("notes"));
  }
  assert.equal((await check({ ...honest, scheme: "valat-shuffle-2 or so" }, null)).get(1), false);
});

test("shuffles that were left out are seen", async () => {
  const match = await published(SEED, [THEIRS, MINE, "", ""]);
  const deck = await shuffled(PACK, match, await keyOf(SEED), 7);
  const deals = [match.deals[0], { ...match.deals[1], number: 7, deck }];

  assert.deepEqual(await wrong({ ...match, deals }), ["hands", 2]);
});

test("a pack of other cards is seen", async () => {
  const other = ["2C", ...PACK.slice(1)];
  const deck = await shuffled(other, honest, await keyOf(SEED), 1);
  const deals = [{ ...honest.deals[0], pack: other, deck }, honest.deals[1]];

  assert.ok((await wrong({ ...honest, deals })).includes(1));
  assert.ok((await wrong({ ...honest, deals, dealing: { ...DEALING, pack: other } })).includes("notes"));
});

test("a pack in an order that was chosen afterwards is seen", async () => {
  const { deck } = honest.deals[0];
  const wanted = [...deck].reverse();
  const chosen = PACK.map((card) => wanted[deck.indexOf(card)]); // its shuffle is the deck that is wanted
  const deals = [{ ...honest.deals[0], pack: chosen, deck: wanted }, honest.deals[1]];

  assert.deepEqual(await wrong({ ...honest, deals }), ["hands", 1]);
});

test("other cards than those of the deck are seen", async () => {
  const seat = honest.seats[1];
  const cards = Object.keys(mine.hands[1][seat]);
  cards[7] = PACK.find((card) => !cards.includes(card)); // of the last packet, say, which came after the bidding

  assert.deepEqual(await wrong(honest, { ...mine, hands: { 1: { [seat]: seen(cards, 9) } } }), ["hands"]);
});

test("a way to deal that was made up for the cards that were shown is seen", async () => {
  const seat = honest.seats[1];
  const dealing = { ...DEALING, packets: [[2, 3, 3]] };
  const [first] = honest.deals[0].deck.filter((_, place) => dealtTo(1)[place] !== seat);
  const note = { ...mine, hands: { 1: { [seat]: seen([first], 1) } } };

  assert.deepEqual(await wrong(honest, note), ["hands"]);
  assert.ok((await wrong({ ...honest, dealing }, note)).includes("notes"));
});

test("another seat than was drawn, and partners who were changed, are seen", async () => {
  const turned = honest.seats.map((seat) => (seat + 1) % SEATS);
  assert.ok((await wrong({ ...honest, seats: turned })).includes("lot"));

  const partners = await published(SEED, [THEIRS, MINE, "", ""]);
  partners.teams = [0, 1, 1, 0];
  const known = { ...mine, promise: { ...mine.promise, teams: [0, 0, 1, 1] } };
  assert.ok((await wrong(partners, known)).includes("notes"));
});

test("cards that players drew may be in a hand, as many as there was time for, and where cards are drawn", async () => {
  const dealing = { ...DEALING, packets: [[3]], draws: true };
  const match = { ...honest, dealing };
  const seat = honest.seats[1];
  const deck = honest.deals[0].deck;
  const hands = (card, moves) => ({ promise: { ...mine.promise, dealing }, share: MINE, hands: { 1: { [seat]: { [card]: moves } } } });

  assert.deepEqual(await wrong(match, hands(deck[12], 2)), []); // the first card drawn, by the first move
  assert.deepEqual(await wrong(match, hands(deck[13], 4)), []);
  assert.deepEqual(await wrong(match, hands(deck[13], 3)), ["hands"]);
  assert.deepEqual(await wrong(match, hands(deck[12], 1)), ["hands"]);
  const still = { ...dealing, draws: false };
  const note = hands(deck[12], 2);
  assert.deepEqual(await wrong({ ...honest, dealing: still }, { ...note, promise: { ...note.promise, dealing: still } }), ["hands"]);
});

test("a pack that is what comes first in the shuffle before is checked as such", async () => {
  const red = PACK.filter((card) => "DH".includes(card[1]));
  const dealing = { pack: PACK, packets: [[1, 1]], draws: false, parts: [[7, red]], added: ["XX"] };
  const match = await published(SEED, [THEIRS, MINE, "", ""]);
  const parted = [...match.deals[0].deck.filter((card) => red.includes(card)).slice(0, 7), "XX"];
  const deck = await shuffled(parted, match, await keyOf(SEED), 2);
  const deals = [match.deals[0], { ...match.deals[1], pack: parted, deck }];
  const seat = match.seats[1];
  const hands = { 2: { [seat]: seen([deck[seat], deck[seat + 4]], 2) } };
  const note = { ...mine, promise: { ...mine.promise, dealing }, hands };

  assert.deepEqual(await wrong({ ...match, dealing, deals }, note), []);
  assert.deepEqual(gaps({ ...match, dealing, deals }, note), { withheld: 0, unseen: [] });
  const others = [...PACK.filter((card) => !red.includes(card)).slice(0, 7), "XX"];
  const chosen = await shuffled(others, match, await keyOf(SEED), 2);
  assert.ok((await wrong({ ...match, dealing, deals: [deals[0], { ...deals[1], deck: chosen }] }, note)).includes(2));
});

test("the hand of another player who used this browser is no reproach", async () => {
  const other = await noted(honest, 0);
  const hands = { 1: { ...mine.hands[1], ...other.hands[1] }, 2: other.hands[2] };

  assert.deepEqual(await wrong(honest, { ...mine, hands }), []);
  assert.deepEqual(gaps(honest, { ...mine, hands }), { withheld: 0, unseen: [2] });
});

test("a card that was dealt to this browser's seat and not shown to it is missed", async () => {
  const seat = honest.seats[1];
  const [, ...rest] = Object.entries(mine.hands[2][seat]);

  assert.deepEqual(gaps(honest, mine).unseen, []);
  assert.deepEqual(gaps(honest, { ...mine, hands: { ...mine.hands, 2: { [seat]: Object.fromEntries(rest) } } }).unseen, [2]);
});

test("shares that others withheld are counted", async () => {
  const match = await published(SEED, ["", MINE, "", ""]);
  const note = { ...(await noted(match, 1)), promise: mine.promise };

  assert.deepEqual(await wrong({ ...match, entropy_hashes }, note), []);
  assert.deepEqual(gaps({ ...match, entropy_hashes }, note), { withheld: 1, unseen: [] });
});

/** The promise of a match for a browser that has just committed itself to a share. */
async function promised(more = {}) {
  const hash = (await notes.draw())();
  return { scheme: "valat-shuffle-2", seedHash: hex(1), hashes: [hex(2), hash], teams: [null, null], dealing: DEALING, place: 1, ...more };
}

test("a share is kept when it is committed to, and noted with the promise that it is told for", async () => {
  const promise = await promised();
  const share = notes.shareFor("told0001", promise);

  assert.equal(await commitment(share), promise.hashes[1]);
  assert.deepEqual(notes.noteOf("told0001"), { promise, share });
  assert.equal(notes.shareFor("told0001", promise), share); // after a reload
  assert.equal(notes.shareFor("told0002", { ...promise, hashes: [hex(2), hex(0)] }), "");
});

test("a share is told for one list only", async () => {
  const promise = await promised();
  notes.shareFor("told0003", promise);

  assert.equal(notes.shareFor("told0003", { ...promise, hashes: [hex(3), promise.hashes[1]] }), "");
  assert.deepEqual(notes.noteOf("told0003").promise, promise);
});

test("a share is told for one match only, whatever becomes of the notes", async () => {
  const promise = await promised();
  notes.shareFor("decoy001", promise);
  for (let number = 0; number < 60; number++) notes.note(`other${number}`, { told: true });

  assert.equal(notes.shareFor("told0004", promise), "");
  assert.equal(notes.noteOf("told0004"), null);
  assert.equal(notes.shareFor("decoy001", { ...promise, seedHash: hex(9) }), "");
  assert.equal(notes.noteOf("decoy001"), null);
});

/** A match that a page promised, and what a browser notes of it and tells with the form that opens it. */
async function toldWithForm(code, seed) {
  const hash = (await notes.draw())();
  const shown = { scheme: "valat-shuffle-2", seedHash: await commitment(seed) };
  const promise = notes.promiseAlone(shown, { teams: [null, null, null, null], dealing: DEALING }, hash);
  return { promise, share: notes.shareFor(code, promise) };
}

test("a match that was promised before it was opened is believed, and only with its seed and its list", async () => {
  const { share } = await toldWithForm("early001", SEED);
  const match = await published(SEED, [share, "", "", ""]);
  const lured = await published(hex(0xef), [share, "", "", ""]); // chosen once the share was known
  const joined = await published(SEED, [share, THEIRS, "", ""]);
  const note = { ...notes.noteOf("early001"), told: true };

  assert.equal(await commitment(share), note.promise.hashes[0]);
  assert.deepEqual(await wrong(match, note), []);
  assert.equal((await check(match, note)).get("notes"), true);
  for (const other of [lured, joined, { ...lured, seed_hash: match.seed_hash }]) {
    const found = await wrong(other, note);
    assert.ok(found.includes("notes") || found.includes("seed"));
  }
});

test("a share that went with a form is told for no other match, and no other share for the same promise", async () => {
  const { promise, share } = await toldWithForm("early002", SEED);
  const other = { ...promise, seedHash: await commitment(hex(0xef)) };

  assert.ok(share);
  assert.equal(notes.shareFor("early003", other), "");
  assert.equal(notes.shareFor("early002", other), "");
  assert.equal((await toldWithForm("early002", SEED)).share, "");
  assert.deepEqual(notes.noteOf("early002"), { promise, share });
});

test("where nothing can be kept no share is promised", async () => {
  const { setItem } = localStorage;
  localStorage.setItem = () => {
    throw new Error("full");
  };
  const take = await notes.draw();

  assert.equal(take(), "");
  localStorage.setItem = setItem;
});

test("every card of a hand is noted when it is first seen", () => {
  notes.noteHand("hand0001", { deal: 1, seat: 2, cards: ["7C", "8C"], moves: 1 });
  notes.noteHand("hand0001", { deal: 1, seat: 2, cards: ["8C", "AH"], moves: 5 });
  notes.noteHand("hand0001", { deal: 1, seat: 3, cards: ["9C"], moves: 6 });

  assert.deepEqual(notes.noteOf("hand0001").hands, { 1: { 2: { "7C": 1, "8C": 1, AH: 5 }, 3: { "9C": 6 } } });
});

test("what was noted first stays", () => {
  notes.note(CODE, { promise: { seedHash: "first" } });
  notes.note(CODE, { promise: { seedHash: "second" }, told: true });

  assert.deepEqual(notes.noteOf(CODE), { promise: { seedHash: "first" }, told: true });
});

test("notes of many matches stay within bounds, the newest kept", () => {
  for (let number = 0; number < 200; number++) notes.note(`match${number}`, { share: "x" });

  assert.equal(notes.noteOf("match0"), null);
  assert.equal(notes.noteOf("match199").share, "x");
  assert.ok(Object.keys(JSON.parse(stored.get("valat.notes"))).length <= 50);
});
