// Which sound is heard: after what, and which of several.

import assert from "node:assert/strict";
import test from "node:test";

import { Mixer, cue } from "../../static/match/cues.js";
import { SOUNDS } from "../../static/match/tones.js";

const TABLE = { moves: 10, deals: 1, cards: 0, finished: false, result: false, over: false, won: false };
const table = (changes) => ({ ...TABLE, ...changes });
const TRICK = { cards: 4, finished: true };

test("each thing that happens has its sound", () => {
  const changes = [
    ["bid", {}, {}],
    ["card", {}, { cards: 1 }],
    ["card", { cards: 2 }, { cards: 3 }],
    ["card", TRICK, { cards: 1 }], // the next trick is led
    ["trick", { cards: 3 }, TRICK],
    ["trick", TRICK, TRICK], // a whole trick later, after a lost connection
    ["result", { cards: 3 }, { ...TRICK, result: true }],
    ["deal", { ...TRICK, result: true }, { deals: 2 }],
    ["result", { cards: 3 }, { ...TRICK, result: true, over: true }],
    ["win", { cards: 3 }, { ...TRICK, result: true, over: true, won: true }],
  ];
  for (const [sound, before, after] of changes) {
    assert.equal(cue(table(before), table({ moves: 11, ...after })), sound, JSON.stringify([before, after]));
  }
});

test("a table without new moves is silent", () => {
  assert.equal(cue(table({}), table({})), null); // somebody has come or gone
  assert.equal(cue(table({ result: true }), table({ result: true })), null); // somebody wants to go on
  assert.equal(cue(table({ over: true, won: true }), table({ over: true, won: true })), null);
});

test("all sounds are short", () => {
  assert.equal(Object.keys(SOUNDS).length, 8);
  for (const [name, parts] of Object.entries(SOUNDS)) {
    const end = Math.max(...parts.map(({ at, length }) => at + length));
    assert.ok(end < (name === "win" ? 1 : 0.3), `${name} takes ${end} seconds`);
  }
});

test("of sounds that are asked for together the most urgent is heard", () => {
  const mixer = new Mixer();

  assert.equal(mixer.ask("card", 0), 0);
  assert.equal(mixer.ask("turn", 0), null); // it is arranged already
  assert.equal(mixer.ask("trick", 0), null);

  assert.equal(mixer.take(1), "turn");
});

test("two sounds are 150 milliseconds apart, and your turn is not lost", () => {
  const mixer = new Mixer();
  mixer.ask("card", 0);
  mixer.take(0);

  assert.equal(mixer.ask("card", 50), 100);
  assert.equal(mixer.ask("turn", 60), null);
  assert.equal(mixer.take(150), "turn");
  assert.equal(mixer.ask("bid", 1000), 0);
});
