// Where things are in a replay.



// Two hands, of one trick and of two; the first move of each is its shuffle.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Positions, isStep } from "../../static/replay/positions.js";

const MATCH = {
  last: 13,
  seat: 2,
  over: true,
  can_open: true,
  marks: [[3, "contract", ""], [9, "set", ""], [9, "comment", "Comments: well led."]],
  deal_word: "hand",
  deals: [
    { number: 1, first: 0, start: 0, last: 4, tricks: [[1, 3, 4]] },
    { number: 2, first: 5, start: 6, last: 13, tricks: [[1, 9, 10], [2, 11, 13]] },
  ],
};
const said = (name, { deal_word, deal, trick }) => [name, deal_word, deal, trick].filter(Boolean).join(" ");
const positions = new Positions(MATCH, said);

/** Where each control leads to from a move. */
function targets(move) {
  const controls = ["deal-back", "deal-on", "first", "trick-back", "back", "on", "trick-on", "last"];
  return controls.map((control) => positions.target(control, move));
}

test("controls lead by move, by trick and by deal", () => {
  assert.deepEqual(targets(10), [6, 13, 0, 6, 9, 11, 13, 13]);
  assert.deepEqual(targets(6), [0, 13, 0, 4, 5, 7, 10, 13]);
  assert.deepEqual(targets(4), [0, 6, 0, 0, 3, 5, 6, 13]);
});

test("no control leads beyond an end", () => {
  assert.deepEqual(targets(0), [0, 6, 0, 0, 0, 1, 4, 13]);
  assert.deepEqual(targets(13), [6, 13, 0, 10, 12, 13, 13, 13]);
  assert.deepEqual([-3, 0, 7, 13, 99].map((move) => positions.clamp(move)), [0, 0, 7, 13, 13]);
});

test("only controls of moves and tricks step", () => {
  assert.deepEqual(["back", "on", "trick-back", "trick-on"].map(isStep), [true, true, true, true]);
  assert.deepEqual(["deal-back", "deal-on", "first", "last"].map(isStep), [false, false, false, false]);
});

test("a place is named in the game's own word", () => {
  assert.equal(positions.label(2), "in_deal hand 1");
  assert.equal(positions.label(5), "in_deal hand 2");
  assert.equal(positions.label(10), "in_trick hand 2 1");
  assert.equal(positions.label(12), "in_trick hand 2 2");
  assert.equal(new Positions({ ...MATCH, deal_word: "round" }, said).label(3), "in_trick round 1 1");
});

test("the deals near a move are its own, the next and the one before, where there are such", () => {
  assert.deepEqual(positions.dealsNear(3), [1, 2]);
  assert.deepEqual(positions.dealsNear(9), [2, 1]);
});

test("an address names all that is seen, that of a running match no seat", () => {
  assert.equal(positions.address({ move: 7, seat: 1, open: false }), "?move=7&seat=1");
  assert.equal(positions.address({ move: 7, seat: 1, open: true }), "?move=7&seat=1&open=1");
  assert.equal(positions.address({ move: 7, seat: 1, beside: 0, open: false }), "?move=7&seat=1&beside=0");
  const running = { ...MATCH, over: false };
  assert.equal(new Positions(running).address({ move: 7, seat: 1, open: true }), "?move=7&open=1");
  assert.equal(new Positions({ ...running, can_open: false }).address({ move: 7, seat: 1, open: true }), "?move=7");
});

test("an address is read back, and what it leaves out is as the page came", () => {
  const position = { move: 7, seat: 0, beside: 1, open: true };
  assert.deepEqual(positions.fromAddress(positions.address(position)), position);
  assert.deepEqual(positions.fromAddress("?move=99"), { move: 13, seat: 2, beside: null, open: false });
  assert.deepEqual(positions.fromAddress(""), { move: 0, seat: 2, beside: null, open: false });
});

test("marks are stepped to, and only those of the kinds that are wanted", () => {
  const marked = new Positions(MATCH, said);
  assert.deepEqual(["mark-back", "mark-on"].map((control) => marked.target(control, 5)), [3, 9]);
  assert.deepEqual(marked.besides(9).filter(Boolean), ["Comments: well led."]);
  marked.markOnly(["set"]);
  assert.deepEqual(["mark-back", "mark-on"].map((control) => marked.target(control, 5)), [5, 9]);
  assert.deepEqual(["mark-back", "mark-on"].map((control) => marked.target(control, 9)), [9, 9]);
});

test("what is not told of yet lies beyond the last move, at an address that says nothing of it either", () => {
  const blind = new Positions({ ...MATCH, hides: true, blind: true }, said);
  const controls = ["on", "trick-on", "deal-on", "last", "mark-on"];
  assert.deepEqual(controls.map((control) => blind.target(control, 13)), [14, 14, 14, 13, 13]);
  assert.equal(blind.address({ move: 7, seat: 1, open: false }), "?move=7&seat=1&spoilers=off");
  assert.equal(blind.framesAddress(2, { seat: 1, open: false }), "?deal=2&seat=1&open=0&spoilers=off");
});
