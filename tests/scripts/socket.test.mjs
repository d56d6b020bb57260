// How long a page waits before it connects again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pauseAfter } from "../../static/site/socket.js";

const LOST = 1006;
const ANEW = 4012;
const pauses = (code, chance) => [0, 1, 2, 3, 4, 5, 6, 100].map((tries) => pauseAfter(code, tries, chance));

test("pauses grow up to ten seconds", () => {
  assert.deepEqual(pauses(LOST, 0.5), [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
});

test("pages that were lost together do not come back together", () => {
  assert.deepEqual([0, 1].map((chance) => pauseAfter(LOST, 1, chance)), [750, 1250]);
});

test("a page comes back at once if the server asks for it, but not again and again", () => {
  assert.deepEqual(pauses(ANEW, 0.5).slice(0, 3), [50, 1000, 2000]);
});

test("a page that was cut off tries again after a minute, in case there is room", () => {
  assert.deepEqual(pauses(4429, 0.5).slice(0, 2), [60_000, 60_000]);
});
