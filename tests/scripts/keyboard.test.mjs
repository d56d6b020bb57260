import assert from "node:assert/strict";
import { test } from "node:test";

import { keyName, printed } from "../../static/site/keyboard.js";

const press = (key, code, more = {}) => keyName({ key, code, ...more });

test("a letter is the one printed on the key", () => {
  assert.equal(press("z", "KeyY"), "z"); // QWERTZ
  assert.equal(press("a", "KeyQ"), "a"); // AZERTY
});

test("Caps Lock changes nothing, Shift does", () => {
  assert.equal(press("S", "KeyS"), "s");
  assert.equal(press("M", "KeyM", { shiftKey: true }), "M");
  assert.equal(press("m", "KeyM", { shiftKey: true }), "M"); // with Caps Lock
});

test("without Latin letters the place of the key decides", () => {
  assert.equal(press("с", "KeyS"), "s");
  assert.equal(press("Н", "KeyN"), "n");
  assert.equal(press("Ь", "KeyM", { shiftKey: true }), "M");
});

test("digits need no Shift, brackets no AltGr", () => {
  assert.equal(press("é", "Digit2"), "2"); // AZERTY
  assert.equal(press("2", "Digit2", { shiftKey: true }), "2");
  assert.equal(press("2", "Numpad2"), "2");
  assert.equal(press("ü", "BracketLeft"), "[");
  assert.equal(press("Dead", "BracketLeft"), "[");
  assert.equal(press('"', "Digit2", { shiftKey: true }), '"');
});

test("signs may be made with AltGr or Option, shortcuts of the browser are its own", () => {
  assert.equal(press("[", "Digit8", { ctrlKey: true, altKey: true }), "[");
  assert.equal(press("]", "Digit6", { altKey: true }), "]");
  assert.equal(press("?", "Minus", { shiftKey: true }), "?");
  assert.equal(press("s", "KeyS", { ctrlKey: true }), "");
  assert.equal(press("с", "KeyS", { ctrlKey: true }), "");
  assert.equal(press("s", "KeyS", { metaKey: true }), "");
  assert.equal(press("ArrowLeft", "ArrowLeft", { altKey: true }), "");
  assert.equal(press("s", "KeyS", { isComposing: true }), "");
});

test("a form that the browser fills in sends events without a key", () => assert.equal(keyName({}), ""));

test("the help shows what is printed on the reader's keys", () => {
  const german = new Map([["KeyS", "s"], ["BracketLeft", "ü"]]);
  const bulgarian = new Map([["KeyS", "с"], ["Digit1", "1"]]);

  assert.equal(printed("s", german), "s");
  assert.equal(printed("[", german), "ü");
  assert.equal(printed("s", bulgarian), "с");
  assert.equal(printed("?", bulgarian), "?");
  assert.equal(printed("s"), "s");
});
