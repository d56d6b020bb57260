import assert from "node:assert/strict";
import { test } from "node:test";

import { Intent, forcedAfter } from "../../static/match/intent.js";

const touch = (now, more = {}) => ({ now, twoTaps: true, ...more });

test("by touch the first tap lifts and the second plays", () => {
  const intent = new Intent();

  assert.equal(intent.tap("card-5S", touch(1000)), "lift");
  assert.equal(intent.lifted, "card-5S");
  assert.equal(intent.tap("card-5S", touch(1600)), "play");
  assert.equal(intent.lifted, null);
});

test("a second tap that comes at once was not meant", () => {
  const intent = new Intent();
  intent.tap("card-5S", touch(1000));

  assert.equal(intent.tap("card-5S", touch(1199)), "ignore");
  assert.equal(intent.lifted, "card-5S");
  assert.equal(intent.tap("card-5S", touch(1200)), "play");
});

test("another card is lifted in place of the first", () => {
  const intent = new Intent();
  intent.tap("card-5S", touch(1000));
  assert.equal(intent.tap("card-6S", touch(1100)), "lift");
  assert.equal(intent.lifted, "card-6S");
});

test("one tap plays with a mouse, by a key, and where it will be refused", () => {
  assert.equal(new Intent().tap("card-5S", { now: 1000 }), "play");
  assert.equal(new Intent().tap("card-5S", touch(1000, { byKey: true })), "play");
  assert.equal(new Intent().tap("card-5S", touch(1000, { refusable: true })), "play");
});

test("nothing is played while a move is on its way, or twice at once", () => {
  const intent = new Intent();

  assert.equal(intent.tap("card-5S", { now: 1000, busy: true }), "ignore");
  assert.equal(intent.tap("card-5S", { now: 1000 }), "play");
  assert.equal(intent.tap("card-6S", { now: 1400 }), "ignore");
});

test("a card that was chosen early is played when it may be", () => {
  const intent = new Intent();

  assert.equal(intent.tap("card-5S", { now: 1000, early: true }), "choose");
  assert.deepEqual(intent.drawn(["card-5S", "card-6S"], []), {});
  assert.deepEqual(intent.drawn(["card-5S", "card-6S"], ["card-5S"]), { play: "card-5S" });
  assert.deepEqual(intent.drawn(["card-5S", "card-6S"], ["card-5S"]), {});
});

test("a card that was chosen early drops back when it may not be played", () => {
  const intent = new Intent();
  intent.tap("card-5S", { now: 1000, early: true });

  assert.deepEqual(intent.drawn(["card-5S", "card-6S"], ["card-6S"]), { drop: "card-5S" });
  assert.equal(intent.chosen, null);
});

test("choosing again takes back, choosing another changes", () => {
  const intent = new Intent();
  intent.tap("card-5S", { now: 1000, early: true });

  assert.equal(intent.tap("card-6S", { now: 1100, early: true }), "choose");
  assert.equal(intent.chosen, "card-6S");
  assert.equal(intent.tap("card-6S", { now: 1200, early: true }), "drop");
  assert.equal(intent.chosen, null);
});

test("what is not on the page any more is forgotten", () => {
  const intent = new Intent();
  intent.tap("card-6S", { now: 900, early: true });
  intent.tap("card-5S", touch(1000));

  assert.deepEqual(intent.drawn(["card-7S"], ["card-7S"]), {});
  assert.deepEqual([intent.lifted, intent.chosen], [null, null]);
});

test("a move is held for a second where the setting says so, and can be taken back", () => {
  const intent = new Intent();

  assert.equal(intent.hold("card-5S", "off"), 0);
  assert.equal(intent.hold("card-5S", "1"), 1000);
  assert.equal(intent.tap("card-6S", { now: 1000 }), "ignore");
  assert.equal(intent.release(), "card-5S");
  assert.equal(intent.release(), null);
});

test("a held move is not sent when the turn has gone", () => {
  const intent = new Intent();
  intent.hold("card-5S", "1");

  intent.drawn(["card-5S"], []);

  assert.equal(intent.release(), null);
});

test("the last card takes as long as a person may", () => {
  assert.deepEqual([0, 0.5, 1].map(forcedAfter), [600, 1200, 1800]);
});
