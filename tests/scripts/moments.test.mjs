// Moments in words, in each zone and language of readers.

import assert from "node:assert/strict";
import test from "node:test";

import { inWords } from "../../static/site/moments.js";

const MOMENT = new Date("2026-11-26T15:53:00Z");

test("a moment is written on the clock of a zone, as the server does", () => {
  const words = [
    ["moment", "en", "Pacific/Auckland", "27 Nov 2026, 04:53"],
    ["moment", "en", "America/Los_Angeles", "26 Nov 2026, 07:53"],
    ["message", "en", "Pacific/Auckland", "27 Nov, 04:53"],
    ["end", "en", "UTC", "26 November, 15:53"],
    ["day", "en", "Pacific/Auckland", "27 November 2026"],
    ["day_of_year", "en", "Pacific/Auckland", "27 November"],
    ["moment", "de", "Pacific/Auckland", "27. Nov. 2026, 04:53"],
    ["day", "fr", "Pacific/Auckland", "27 novembre 2026"],
    ["day", "hr", "Pacific/Auckland", "27. studenoga 2026."],
    ["end", "bg", "Pacific/Auckland", "27 ноември, 04:53"],
  ];
  for (const [form, language, zone, expected] of words) {
    assert.equal(inWords(MOMENT, form, language, zone).replace(/\p{Zs}/gu, " "), expected, form);
  }
});

test("midnight is the hour 00", () => {
  assert.equal(inWords(new Date("2026-11-26T11:00:00Z"), "end", "en", "Pacific/Auckland"), "27 November, 00:00");
});
