import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./load.mjs";

const { Digits } = await load("match/digits.js");

test("two digits soon after each other may be one number", () => {
  const digits = new Digits();

  assert.deepEqual(digits.type("1", 1000), ["1"]);
  assert.deepEqual(digits.type("0", 1700), ["10", "0"]);
});

test("two digits with a pause between them are two numbers", () => {
  const digits = new Digits();
  digits.type("1", 1000);

  assert.deepEqual(digits.type("0", 1800), ["0"]);
});
