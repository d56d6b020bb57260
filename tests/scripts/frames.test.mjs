// Which table is drawn next, and when.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { Frames } = await load("match/frames.js");

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
  });
}

test("cards that come one by one are seen to the end before the trick is held", () => {
  const frames = framesOf(frame(2));
  frames.played(100 + 900);

  assert.equal(frames.delay(100, table({ finished: true })), 1900);
});

test("a page that has just come shows its finished trick no longer than the next frame needs", () => {
  assert.equal(framesOf(frame(2)).delay(0, table({ finished: true })), 0);
});

test("a frame with no new move takes no trick away, and is drawn at once", () => {
  const frames = framesOf(frame(2, 1));
  frames.played(100);

  assert.equal(frames.delay(100, table({ finished: true })), 0);
});

test("whoever has seen enough of a trick ends its hold", () => {
  const frames = framesOf(frame(2));
  frames.played(100);

  frames.endHold();

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

test("what the table shows already is not said again", () => {
  const frames = framesOf(frame(2, 5), frame(3, 5, "Move 5 once more."), frame(4, 6));

  assert.equal(frames.take({ revision: 1, moves: 5 }).say, "Move 6.");
});

test("of two frames for the same moves the first says them", () => {
  const frames = framesOf(frame(2), frame(3, 2, "Move 2 once more."), frame(4, 3));

  assert.equal(frames.take({ revision: 1, moves: 1 }).say, "Move 2. Move 3.");
});

test("a frame without a sentence leaves no gap", () => {
  assert.equal(framesOf(frame(2, 2, ""), frame(3), frame(4)).take({ revision: 1, moves: 1 }).say, "Move 3. Move 4.");
});

test("a frame that is older than the last that waits is dropped", () => {
  const frames = framesOf(frame(2), frame(4), frame(3));
  frames.played(100);

  assert.equal(frames.delay(100, table({ finished: true })), 1000); // were it three, the newest would be drawn
  assert.equal(frames.take({ revision: 1, moves: 1 }).revision, 2);
  assert.equal(frames.take({ revision: 2, moves: 2 }).revision, 4);
  assert.equal(frames.delay(100, table()), null);
});

test("a frame that is as old as the last that waits is drawn too", () => {
  const frames = framesOf(frame(2), frame(2));

  assert.equal(frames.take({ revision: 1, moves: 1 }).revision, 2);
  assert.equal(frames.take({ revision: 2, moves: 2 }).revision, 2);
});

test("a frame that is older than the table is dropped, one that is as old is drawn", () => {
  assert.equal(framesOf(frame(2)).take({ revision: 3, moves: 3 }), null);
  assert.equal(framesOf(frame(3)).take({ revision: 3, moves: 3 }).revision, 3);
});

test("nothing moves under a finger, but not for ever", () => {
  const frames = framesOf(frame(2));
  frames.fingerDown(1000);

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

test("not even the newest of many frames moves under a finger", () => {
  const frames = framesOf(frame(2), frame(3), frame(4));
  frames.fingerDown(1000);

  assert.equal(frames.delay(1000, table()), 3000);
});
