// What lies in a dialog over the table: the score sheet, which keeps up while it is open, and the result of the last
// deal. The link to each opens it; without scripts it leads to a page.

import { showDialog } from "../site/back.js";
import { shown, whenDrawn } from "./table.js";

const LINKS = { sheet: "[data-open-sheet]", last: "[data-open-last]" }; // by the id of the dialog

let loading = false;

/** Open the score sheet of the match, if it has one. */
export async function openSheet() {
  const dialog = await open("sheet");
  dialog?.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

/** Open the result of the last deal, if there may be one. */
export const openLast = () => open("last");

async function open(name) {
  const link = document.querySelector(LINKS[name]);
  if (!link || link.hidden) return null;
  await load(name);
  const dialog = document.getElementById(name);
  if (!dialog.open) showDialog(dialog);
  return dialog;
}

async function load(name) {
  const inside = document.getElementById(`${name}-inside`);
  loading = true;
  try {
    const response = await fetch(document.querySelector(LINKS[name]).href, { headers: { "HX-Request": "true" } });
    if (!response.ok) throw new Error(response.statusText);
    await htmx.swap({ target: inside, swap: "innerMorph", text: await response.text() });
  } catch {
    inside.textContent = `The ${name === "sheet" ? "score sheet" : "result"} can't be fetched just now.`;
  }
  loading = false;
}

document.addEventListener("click", (event) => {
  const name = Object.keys(LINKS).find((each) => event.target.closest(LINKS[each]));
  if (!name || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (name === "sheet") openSheet();
  else openLast();
});

whenDrawn(({ frame, moves }) => {
  const link = document.querySelector(LINKS.last);
  if (link) link.hidden = !hasLast();
  if (frame.moves !== moves && document.getElementById("sheet").open && !loading) load("sheet");
});

/** Whether a deal of a match that goes on may have been scored. */
function hasLast() {
  const deals = Number(document.getElementById("felt")?.dataset.deals ?? 0);
  return shown().status === "playing" && deals > 1;
}
