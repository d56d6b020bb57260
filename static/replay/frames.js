// What every position of a deal looks like: all of it comes in one answer and is kept for a while.

import { page, positions } from "./page.js";

const KEPT = 16; // deals in memory

const kept = new Map(); // address of a deal's frames -> promise of them, the latest asked for last

/** A promise of {tables, sheets, moves} of deal `number`: tables by move, sheets by the move they are there from. */
export function framesOf(number, position) {
  const asked = positions.framesAddress(number, position);
  let found = kept.get(asked);
  kept.delete(asked); // and put in again as the latest
  found ??= fetch(page.dataset.frames + asked).then(read);
  kept.set(asked, found);
  found.catch(() => kept.delete(asked));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return found;
}

async function read(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const parts = new DOMParser().parseFromString(await response.text(), "text/html");
  const tables = new Map();
  for (const part of parts.querySelectorAll("template[data-move]")) {
    tables.set(Number(part.dataset.move), { html: part.innerHTML, label: part.dataset.label, words: part.dataset.words });
  }
  const [whole, ...changes] = parts.querySelectorAll("template[data-sheet]");
  const sheets = [[Number(whole.dataset.sheet), whole.innerHTML]];
  for (const change of changes) sheets.push([Number(change.dataset.sheet), patched(whole, change.content)]);
  return { tables, sheets, moves: parts.querySelector("template[data-moves]").innerHTML };
}

function patched(whole, change) {
  const copy = whole.cloneNode(true);
  const rows = () => [...copy.content.querySelectorAll("[data-deal]")];
  for (const row of change.querySelectorAll("[data-deal]")) {
    const old = rows().find(({ dataset }) => dataset.deal === row.dataset.deal);
    if (old) old.replaceWith(row);
    else addRow(copy.content, rows().at(-1), row);
  }
  copy.content.querySelector("tfoot").replaceWith(change.querySelector("tfoot"));
  return copy.innerHTML;
}

/** A deal that the sheet did not have yet, below the last one; a row without a deal only says that there was none. */
function addRow(sheet, last, row) {
  const none = sheet.querySelector("tbody > tr:only-child:not([data-deal])");
  if (last) last.after(row);
  else if (none) none.replaceWith(row);
  else sheet.querySelector("thead").after(row);
}
