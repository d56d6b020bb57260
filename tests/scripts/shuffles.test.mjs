// A browser against a server that cheats: whatever it tries once it knows the browser's share is seen, or gains nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
const { check, commitment, keyOf, shuffled } = await load("replay/shuffle_check.js");
const notes = await load("site/notes.js");

const PACK = ["C", "D", "H", "S"].flatMap((suit) => [..."789TJQKA"].map((rank) => rank + suit));
const SEATS = 4;
const HAND = 8;
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
    deals: [],
  };
  const key = await keyOf(seed);
  match.seats = seatsBy(await shuffled([0, 1, 2, 3], match, key, 0), entropies);
  for (const number of [1, 2]) {
    const deck = await shuffled(PACK, match, key, number);
    const dealt_to = deck.map((_, place) => (Math.floor(place / HAND) + number) % SEATS);
    match.deals.push({ number, pack: PACK, deck, dealt_to, moves: 1 + 40 * (number - 1) });
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

/** What an honest browser at `place` notes of a match that is played as it is published. */
async function noted(match, place) {
  const { seed_hash: seedHash, entropy_hashes: hashes, teams } = match;
  const seat = match.seats[place];
  const hands = Object.fromEntries(
    match.deals.map(({ number, deck, dealt_to, moves }) => [
      number,
      { seat, cards: deck.filter((_, index) => dealt_to[index] === seat), moves },
    ]),
  );
  return { promise: { seedHash, hashes, teams, place }, share: match.entropies[place], hands };
}

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

test("another seed, with a hash that fits, is seen", async () => {
  assert.deepEqual(await wrong(await published(hex(0xef), [THEIRS, MINE, "", ""])), ["notes", "hands"]);
});

test("another seed, with the hash that was promised, is seen", async () => {
  const other = await published(hex(0xef), [THEIRS, MINE, "", ""]);

  assert.deepEqual(await wrong({ ...other, seed_hash: honest.seed_hash }), ["seed", "hands"]);
});

test("another share of a player in league with the server is seen", async () => {
  const other = await published(SEED, [hex(0x18), MINE, "", ""]);

  assert.deepEqual(await wrong(other), ["notes", "hands"]);
  assert.deepEqual(await wrong({ ...other, entropy_hashes: honest.entropy_hashes }), ["shares", "hands"]);
});

test("a share of a bot, found after the list was closed, is seen", async () => {
  assert.deepEqual(await wrong(await published(SEED, [THEIRS, MINE, hex(0x99), ""])), ["notes", "hands"]);
});

test("an honest share that is left out is seen", async () => {
  const other = await published(SEED, [THEIRS, "", "", ""]);

  assert.ok((await wrong({ ...other, entropy_hashes: honest.entropy_hashes })).includes("notes"));
});

test("a share that the server calls late is not counted as told", async () => {
  const other = await published(SEED, [THEIRS, "", "", ""]);
  const match = { ...other, entropy_hashes: honest.entropy_hashes };

  assert.deepEqual(await wrong(match, { ...(await noted(other, 1)), promise: mine.promise, share: MINE, late: true }), []);
});

test("a pack in an order that was chosen afterwards is seen", async () => {
  const { deck } = honest.deals[0];
  const wanted = [...deck].reverse();
  const chosen = PACK.map((card) => wanted[deck.indexOf(card)]); // its shuffle is the deck that is wanted
  const deals = [{ ...honest.deals[0], pack: chosen, deck: wanted }, honest.deals[1]];

  assert.ok((await wrong({ ...honest, deals })).includes(1));
});

test("other cards than those of the deck are seen", async () => {
  const cards = [...mine.hands[1].cards];
  cards[0] = PACK.find((card) => !cards.includes(card));

  assert.deepEqual(await wrong(honest, { ...mine, hands: { 1: { ...mine.hands[1], cards } } }), ["hands"]);
});

test("a way to deal that was made up for the cards that were shown is seen", async () => {
  const seat = honest.seats[1];
  const cards = PACK.slice(0, HAND);
  const dealt_to = honest.deals[0].deck.map((card, place) => (cards.includes(card) ? seat : (seat + 1 + (place % 3)) % SEATS));
  const deals = [{ ...honest.deals[0], dealt_to }, honest.deals[1]];

  assert.deepEqual(await wrong({ ...honest, deals }, { ...mine, hands: { 1: { seat, cards, moves: 1 } } }), ["hands"]);
});

test("another seat than was drawn, and partners who were changed, are seen", async () => {
  const turned = honest.seats.map((seat) => (seat + 1) % SEATS);
  assert.ok((await wrong({ ...honest, seats: turned })).includes("lot"));

  const partners = await published(SEED, [THEIRS, MINE, "", ""]);
  partners.teams = [0, 1, 1, 0];
  const known = { ...mine, promise: { ...mine.promise, teams: [0, 0, 1, 1] } };
  assert.ok((await wrong(partners, known)).includes("notes"));
});

test("cards that players drew themselves may be in a hand that was seen later, and in no other", async () => {
  const seat = honest.seats[1];
  const deck = honest.deals[0].deck;
  const dealt_to = deck.map((_, place) => (place < 4 * 3 ? (place + 1) % SEATS : null));
  const deals = [{ ...honest.deals[0], dealt_to }, honest.deals[1]];
  const cards = [...deck.filter((_, place) => dealt_to[place] === seat), deck[20]];

  assert.deepEqual(await wrong({ ...honest, deals }, { ...mine, hands: { 1: { seat, cards, moves: 5 } } }), []);
  assert.deepEqual(await wrong({ ...honest, deals }, { ...mine, hands: { 1: { seat, cards, moves: 1 } } }), ["hands"]);
});

test("a share is kept when it is committed to, and told by its hash only", async () => {
  const take = await notes.draw();
  const hash = take();

  assert.equal(await commitment(notes.shareOf(hash)), hash);
  assert.equal(notes.shareOf(hex(0)), "");
});

test("what was noted first stays", () => {
  notes.note(CODE, { promise: { seedHash: "first" }, hands: { 1: { cards: ["7C"] } } });
  notes.note(CODE, { promise: { seedHash: "second" }, hands: { 1: { cards: ["8C"] }, 2: { cards: ["9C"] } } });

  assert.deepEqual(notes.noteOf(CODE), {
    promise: { seedHash: "first" },
    hands: { 1: { cards: ["7C"] }, 2: { cards: ["9C"] } },
  });
});

test("notes of many matches stay within bounds, the newest kept", () => {
  for (let number = 0; number < 200; number++) notes.note(`match${number}`, { share: "x" });

  assert.equal(notes.noteOf("match0"), null);
  assert.equal(notes.noteOf("match199").share, "x");
  assert.ok(Object.keys(JSON.parse(stored.get("valat.shuffles"))).length <= 50);
});
