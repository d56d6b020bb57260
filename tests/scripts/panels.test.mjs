import assert from "node:assert/strict";
import { test } from "node:test";

import { Panels } from "../../static/site/panels.js";

/** Panels over a page that has `before` entries of other pages before it, and what Back does. */
function page(before = 1) {
  const entries = [...Array(before).fill("other"), "page"];
  const open = new Set();
  const panels = new Panels({ push: () => entries.push("panel"), back: () => back() });
  const back = () => {
    entries.pop();
    if (entries.at(-1) !== "other") panels.popped(entries.at(-1) === "panel");
  };
  const show = (name) => {
    open.add(name);
    panels.opened(name, () => close(name));
  };
  const close = (name) => {
    open.delete(name);
    panels.closed(name);
  };
  return { back, show, close, open: () => [...open], at: () => entries.at(-1) };
}

test("a panel that was closed otherwise costs no Back", () => {
  const { back, show, close, at } = page();
  show("sheet");
  close("sheet");

  back();

  assert.equal(at(), "other");
});

test("panels opened one after the other share an entry", () => {
  const { back, show, close, open, at } = page();
  for (const name of ["menu", "sheet", "tricks"]) {
    show(name);
    close(name);
  }
  show("sheet");

  back();

  assert.deepEqual(open(), []);
  assert.equal(at(), "page");
});

test("Back closes the topmost of two panels first", () => {
  const { back, show, open } = page();
  show("menu");
  show("dialog");

  back();
  assert.deepEqual(open(), ["menu"]);
  back();
  assert.deepEqual(open(), []);
});
