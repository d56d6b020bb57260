// How it stands with the socket of a table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { Link } = await load("match/link.js");

const NOTHING = { bar: null, act: "" };

/** A link that was open at 0. */
const open = () => new Link(0, true);

function lostAt(now) {
  const link = open();
  link.closed(now, 1006);
  return link;
}

/** What the link says at each of these times. */
const checks = (link, ...times) => times.map((now) => link.check(now, false));

test("an open socket needs nothing", () => {
  assert.deepEqual(checks(open(), 0, 1000, 30_000), [NOTHING, NOTHING, NOTHING]);
});

test("a socket that is silent for half a minute is asked, but not by a page that nobody sees", () => {
  const link = open();

  assert.deepEqual(link.check(30_001, true), NOTHING);
  assert.deepEqual(link.check(30_001, false), { bar: null, act: "ask" });
});

test("what is heard ends the silence", () => {
  const link = open();
  link.heard(20_000);

  assert.equal(link.isSilent(50_000), false);
  assert.equal(link.isSilent(50_001), true);
});

test("a lost socket is told of after two seconds, and a button offered after ten", () => {
  const link = lostAt(1000);

  assert.deepEqual(link.check(3000, false), NOTHING);
  assert.deepEqual(link.check(3001, false).bar, { said: "lost", button: false });
  assert.deepEqual(link.check(11_000, false).bar, { said: "lost", button: false });
  assert.deepEqual(link.check(11_001, false).bar, { said: "lost", button: true });
});

test("a page that comes without a socket has lost it from the start", () => {
  const link = new Link(500, false);

  assert.equal(link.lost, true);
  assert.deepEqual(link.check(2501, false).bar, { said: "lost", button: false });
});

test("polls begin after five seconds without a socket, one at a time, five seconds from one to the next", () => {
  const link = lostAt(1000);

  assert.equal(link.check(6000, false).act, "");
  assert.equal(link.check(6001, false).act, "poll");
  assert.equal(link.check(20_000, false).act, ""); // the first is still on its way
  link.polled(20_000, true);
  assert.equal(link.check(25_000, false).act, "");
  assert.equal(link.check(25_001, false).act, "poll");
});

test("what is to be sent is polled at the next check", () => {
  const link = lostAt(0);
  link.check(5001, false);
  link.polled(6000, true);
  assert.equal(link.isPolling(7000), true);

  link.hurry();

  assert.equal(link.check(7000, false).act, "poll");
});

test("whether polls are answered is told", () => {
  const link = lostAt(0);

  link.polled(6000, true);
  assert.equal(link.check(7000, false).bar.said, "polled");
  link.polled(12_000, false);
  assert.equal(link.check(13_000, false).bar.said, "lost");
});

test("a socket that was found and lost again is not called polled for an old answer", () => {
  const link = lostAt(0);
  link.polled(6000, true);

  link.opened(7000);
  link.closed(8000, 1006);

  assert.equal(link.check(10_001, false).bar.said, "lost");
});

test("a message without an answer is trouble after four seconds, and after eight the socket is given up", () => {
  const link = open();
  link.sent(1000);

  assert.deepEqual(link.check(5000, false), NOTHING);
  assert.deepEqual(link.check(5001, false), { bar: { said: "lost", button: false }, act: "" });
  assert.deepEqual(link.check(9000, false).act, "");
  assert.deepEqual(link.check(9001, false).act, "reconnect");
  assert.equal(link.lost, true);
  assert.equal(link.check(10_000, false).act, "poll"); // lost since the message was sent
});

test("the oldest message counts, and an answer settles all", () => {
  const link = open();
  link.sent(1000);
  link.sent(4000);
  assert.notEqual(link.check(5001, false).bar, null);

  link.heard(5500);

  assert.deepEqual(link.check(20_000, false), NOTHING);
});

test("being asked and silent at once, a socket is not asked again but given up", () => {
  const link = open();
  link.sent(25_000);

  assert.equal(link.check(33_001, false).act, "reconnect");
});

test("a lost socket is not given up again for an answer that it owes", () => {
  const link = open();
  link.sent(1000);

  link.closed(8000, 1006);

  assert.equal(link.check(9001, false).act, "");
});

test("every loss and every opening is another epoch, a loss counted once", () => {
  const link = open();
  const epochs = [link.epoch];

  link.closed(1000, 1006);
  epochs.push(link.epoch);
  link.lose(2000); // the browser says it is offline
  epochs.push(link.epoch);
  link.opened(3000);
  epochs.push(link.epoch);

  assert.deepEqual(epochs, [0, 1, 1, 2]);
});

test("a loss lasts from when it began", () => {
  const link = lostAt(1000);

  link.lose(3000);

  assert.notEqual(link.check(3001, false).bar, null);
});

for (const [code, said] of [
  [4404, "gone"],
  [4429, "cut_off"],
]) {
  test(`a socket that the server closes with ${code} has ended for good`, () => {
    const link = open();

    link.closed(1000, code);

    assert.equal(link.ended, said);
    assert.deepEqual(checks(link, 1000, 60_000), Array(2).fill({ bar: { said, button: true }, act: "" }));
  });
}

test("a socket closed by any other code has not ended", () => {
  assert.equal(lostAt(1000).ended, "");
});

test("who was told of the loss is welcomed once", () => {
  const link = lostAt(0);
  link.check(2001, false);
  link.opened(3000);

  assert.equal(link.missed, true);
  assert.equal(link.welcome(), true);
  assert.equal(link.missed, false);
  assert.equal(link.welcome(), false);
});

test("who was not told of a loss is not welcomed", () => {
  const link = lostAt(0);
  link.check(2000, false);
  link.opened(2500);

  assert.equal(link.welcome(), false);
});

test("nobody is welcomed by a poll, nor while an answer is out", () => {
  const link = lostAt(0);
  link.check(2001, false);
  assert.equal(link.welcome(), false);

  link.opened(3000);
  link.sent(3001);
  assert.equal(link.welcome(), false);
  link.heard(3002);
  assert.equal(link.welcome(), true);
});
