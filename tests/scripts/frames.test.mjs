// Which table is drawn next, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Frames } from "../../static/match/frames.js";

const frame = (revision, moves = revision, say = `Move ${moves}.`) => ({ revision, moves, say });
const table = (options) => ({ moves: 1, finished: false, hold: "normal", ...options });

function framesOf(...waiting) {
  const frames = new Frames();
  for (const each of waiting) frames.add(each);
  return frames;
}

test("without a frame there is nothing to wait for", () => {
  assert.equal(framesOf().delay(0, table()), null);
  assert.equal(framesOf().take({ revision: 1, moves: 1 }), null);
});

test("a frame is drawn at once where no trick is finished", () => {
  const frames = framesOf(frame(2));
  frames.played(100);

  assert.equal(frames.delay(100, table()), 0);
  assert.deepEqual(frames.take({ revision: 1, moves: 1 }), { revision: 2, moves: 2, say: "Move 2." });
  assert.equal(frames.delay(100, table()), null);
});

for (const [hold, lasts] of Object.entries({ fast: 500, normal: 1000, slow: 1800 })) {
  test(`a finished trick stays ${lasts} milliseconds where it is held ${hold}`, () => {
    const frames = framesOf(frame(2));
    frames.played(100);

    assert.equal(frames.delay(100, table({ finished: true, hold })), lasts);
    assert.equal(frames.delay(99 + lasts, table({ finished: true, hold })), 1);
    assert.equal(frames.delay(100 + lasts, table({ finished: true, hold })), 0);
    assert.equal(frames.delay(200 + lasts, table({ finished: true, hold })), 0);
    frames.endHold(); // whoever has seen enough
    assert.equal(frames.delay(100, table({ finished: true, hold })), 0);
  });
}

test("cards that come one by one are seen to the end before the trick is held", () => {
  const frames = framesOf(frame(2));
  frames.played(100 + 900);

  assert.equal(frames.delay(100, table({ finished: true })), 1900);
});

test("a frame with no new move takes no trick away, and is drawn at once", () => {
  const frames = framesOf(frame(2, 1));
  frames.played(100);

  assert.equal(frames.delay(100, table({ finished: true })), 0);
});

test("two frames wait their turn, each with its own sentence", () => {
  const frames = framesOf(frame(2), frame(3));
  frames.played(100);

  assert.equal(frames.delay(100, table({ finished: true })), 1000);
  assert.equal(frames.take({ revision: 1, moves: 1 }).say, "Move 2.");
  assert.equal(frames.take({ revision: 2, moves: 2 }).say, "Move 3.");
});

test("of three frames the newest is drawn at once, and says what those before it would have said", () => {
  const frames = framesOf(frame(2), frame(3), frame(4));
  frames.played(100);

  assert.equal(frames.delay(100, table({ finished: true })), 0);
  assert.deepEqual(frames.take({ revision: 1, moves: 1 }), { revision: 4, moves: 4, say: "Move 2. Move 3. Move 4." });
  assert.equal(frames.delay(100, table()), null);
});

const SAID = [
  ["what the table shows already is not said again", 5, [frame(2, 5), frame(3, 5, "Move 5 once more."), frame(4, 6)], "Move 6."],
  ["of two frames for the same moves the first says them", 1, [frame(2), frame(3, 2, "Once more."), frame(4, 3)], "Move 2. Move 3."],
  ["a frame without a sentence leaves no gap", 1, [frame(2, 2, ""), frame(3), frame(4)], "Move 3. Move 4."],
];
for (const [name, moves, waiting, say] of SAID) {
  test(name, () => assert.equal(framesOf(...waiting).take({ revision: 1, moves }).say, say));
}

test("a frame that is older than the last that waits is dropped", () => {
  const frames = framesOf(frame(2), frame(4), frame(3));
  frames.played(100);

  assert.equal(frames.delay(100, table({ finished: true })), 1000); // were it three, the newest would be drawn
  assert.equal(frames.take({ revision: 1, moves: 1 }).revision, 2);
  assert.equal(frames.take({ revision: 2, moves: 2 }).revision, 4);
  assert.equal(frames.delay(100, table()), null);
});

test("a frame that is older than the table is dropped, one that is as old is drawn", () => {
  assert.equal(framesOf(frame(2)).take({ revision: 3, moves: 3 }), null);
  assert.equal(framesOf(frame(3)).take({ revision: 3, moves: 3 }).revision, 3);
  const frames = framesOf(frame(2), frame(2));
  assert.deepEqual([1, 2].map((revision) => frames.take({ revision, moves: 1 }).revision), [2, 2]);
});

test("nothing moves under a finger, but not for ever", () => {
  const frames = framesOf(frame(2));
  frames.fingerDown(1000);

  assert.equal(frames.delay(1000, table()), 3000);
  frames.add(frame(3));
  frames.add(frame(4)); // not even the newest of many
  assert.equal(frames.delay(1000, table()), 3000);
  assert.equal(frames.delay(3999, table()), 1);
  assert.equal(frames.delay(4000, table()), 0);

  frames.fingerUp();
  assert.equal(frames.delay(1000, table()), 0);
});

test("of hold and finger the longer counts", () => {
  const frames = framesOf(frame(2));
  frames.played(1000);
  frames.fingerDown(1000);

  assert.equal(frames.delay(1000, table({ finished: true })), 3000);
  frames.fingerUp();
  assert.equal(frames.delay(1000, table({ finished: true })), 1000);
});
