import assert from "node:assert/strict";
import { test } from "node:test";

import { Digits } from "../../static/match/digits.js";

test("two digits may be one number, unless there is a pause between them", () => {
  const digits = new Digits();

  assert.deepEqual(digits.type("1", 1000), ["1"]);
  assert.deepEqual(digits.type("0", 1700), ["10", "0"]);
  digits.type("1", 3000);
  assert.deepEqual(digits.type("0", 3800), ["0"]);
});
