// How it stands with the socket of a table.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Link } from "../../static/match/link.js";

const NOTHING = { bar: null, act: "" };

/** A link that was open at 0. */
function open() {
  const link = new Link(0);
  link.opened(0);
  return link;
}

function lostAt(now) {
  const link = open();
  link.closed(now, "");
  return link;
}

/** What the link says at each of these times. */
const checks = (link, ...times) => times.map((now) => link.check(now));

test("a socket that is silent for half a minute is asked once, but not by a page that nobody sees", () => {
  const link = open();

  assert.deepEqual(link.check(30_001, { hidden: true }), NOTHING);
  assert.deepEqual(checks(link, 0, 30_000, 30_001, 31_000), [NOTHING, NOTHING, { bar: null, act: "ping" }, NOTHING]);
});

for (const hidden of [false, true]) {
  test(`on the clock a silent socket is asked after some seconds, and given up after some more; hidden: ${hidden}`, () => {
    const link = open();
    const check = (now) => link.check(now, { clock: true, hidden });

    assert.deepEqual(check(3500), NOTHING);
    assert.deepEqual(check(3501), { bar: null, act: "ping" });
    link.sent(3501);
    assert.deepEqual(check(7501), NOTHING);
    assert.deepEqual(check(7502), { bar: { said: "lost", button: false }, act: "reconnect" });
    assert.equal(link.lost, true);
  });
}

test("an answer to the ping settles it, until the next silence", () => {
  const link = open();
  link.check(4000, { clock: true });
  link.sent(4000);

  link.heard(4100);

  assert.deepEqual(link.check(7600, { clock: true }), NOTHING);
  assert.deepEqual(link.check(7601, { clock: true }), { bar: null, act: "ping" });
});

test("on the clock a socket that owes the answer to a move is asked, too, and given up earlier", () => {
  const link = open();
  link.sent(1000);

  assert.equal(link.check(4000, { clock: true }).act, "ping");
  assert.equal(link.check(8000, { clock: true }).act, "");
  assert.equal(link.check(8001, { clock: true }).act, "reconnect");
});

test("a lost socket is told of after two seconds, and a button offered after ten", () => {
  const link = lostAt(1000);

  assert.deepEqual(link.check(3000), NOTHING);
  assert.deepEqual(link.check(3001).bar, { said: "lost", button: false });
  assert.deepEqual(link.check(11_000).bar, { said: "lost", button: false });
  assert.deepEqual(link.check(11_001).bar, { said: "lost", button: true });
});

test("a page that comes without a socket has lost it from the start", () => {
  const link = new Link(500);

  assert.equal(link.lost, true);
  assert.deepEqual(link.check(2501).bar, { said: "lost", button: false });
});

test("polls begin after five seconds without a socket, one at a time, five seconds from one to the next", () => {
  const link = lostAt(1000);

  assert.equal(link.check(6000).act, "");
  assert.equal(link.check(6001).act, "poll");
  assert.equal(link.check(20_000).act, ""); // the first is still on its way
  link.polled(20_000, true);
  assert.equal(link.check(25_000).act, "");
  assert.equal(link.check(25_001).act, "poll");
});

test("what is to be sent is polled at the next check", () => {
  const link = lostAt(0);
  link.check(5001);
  link.polled(6000, true);
  assert.equal(link.isPolling(7000), true);

  link.hurry();

  assert.equal(link.check(7000).act, "poll");
});

test("whether polls are answered is told, and forgotten with the next socket", () => {
  const link = lostAt(0);
  link.polled(5000, false);
  assert.equal(link.check(5500).bar.said, "lost");
  link.polled(6000, true);
  assert.equal(link.check(6500).bar.said, "polled");

  link.opened(7000);
  link.closed(8000, "");

  assert.equal(link.check(10_001).bar.said, "lost");
});

test("a message without an answer is trouble after four seconds, and after eight the socket is given up", () => {
  const link = open();
  link.sent(1000);

  assert.deepEqual(link.check(5000), NOTHING);
  assert.deepEqual(link.check(5001), { bar: { said: "lost", button: false }, act: "" });
  assert.deepEqual(link.check(9000).act, "");
  assert.deepEqual(link.check(9001).act, "reconnect");
  assert.equal(link.lost, true);
  assert.equal(link.check(10_000).act, "poll"); // lost since the message was sent
});

test("the oldest message counts, and an answer settles all", () => {
  const link = open();
  link.sent(1000);
  link.sent(4000);
  assert.notEqual(link.check(5001).bar, null);

  link.heard(5500);

  assert.deepEqual(link.check(20_000), NOTHING);
});

test("a socket that owes an answer and is silent is given up for what came first", () => {
  const link = open();
  link.sent(25_000);

  assert.equal(link.check(30_001).act, "ping");
  assert.equal(link.check(33_001).act, "reconnect");
});

test("a lost socket is not given up again for an answer that it owes", () => {
  const link = open();
  link.sent(1000);

  link.closed(8000, "");

  assert.equal(link.check(9001).act, "");
});

test("every loss and every opening is another epoch, a loss counted once", () => {
  const link = open();
  const epochs = [link.epoch];

  link.closed(1000, "");
  epochs.push(link.epoch);
  link.lose(2000); // the browser says it is offline
  epochs.push(link.epoch);
  link.opened(3000);
  epochs.push(link.epoch);

  assert.deepEqual(epochs, [1, 2, 2, 3]);
});

test("a loss lasts from when it began", () => {
  const link = lostAt(1000);

  link.lose(3000);

  assert.notEqual(link.check(3001).bar, null);
});

test("a socket that the server closes for a reason has ended for good", () => {
  const link = lostAt(500);
  assert.equal(link.ended, "");

  link.closed(1000, "gone");

  assert.equal(link.ended, "gone");
  assert.deepEqual(checks(link, 1000, 60_000), Array(2).fill({ bar: { said: "gone", button: true }, act: "" }));
});

test("who was told of the loss is welcomed once", () => {
  const link = lostAt(0);
  link.check(2000);
  link.opened(2500);
  assert.equal(link.welcome(), false);

  link.closed(2600, "");
  link.check(4601);
  link.opened(5000);

  assert.equal(link.missed, true);
  assert.equal(link.welcome(), true);
  assert.equal(link.missed, false);
  assert.equal(link.welcome(), false);
});

test("nobody is welcomed by a poll, nor while an answer is out", () => {
  const link = lostAt(0);
  link.check(2001);
  assert.equal(link.welcome(), false);

  link.opened(3000);
  link.sent(3001);
  assert.equal(link.welcome(), false);
  link.heard(3002);
  assert.equal(link.welcome(), true);
});
