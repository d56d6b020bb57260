// What lies in a dialog over the table: the score sheet, which keeps up while it is open, and the result of the last
// deal. The link to each opens it; without scripts it leads to a page.

import { showDialog } from "../site/back.js";
import { sentence } from "../site/sentences.js";
import { shown, whenDrawn } from "./table.js";

const LINKS = { sheet: "[data-open-sheet]", last: "[data-open-last]" }; // by the id of the dialog

let loading = false;

/** Open the score sheet of the match, if it has one. */
export const openSheet = () => open("sheet");

/** Open the result of the last deal, if there may be one. */
export const openLast = () => open("last");

async function open(name) {
  const link = document.querySelector(LINKS[name]);
  if (!link || link.hidden) return;
  await load(name);
  const dialog = document.getElementById(name);
  if (!dialog.open) showDialog(dialog);
  if (name === "sheet") dialog.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

async function load(name) {
  const inside = document.getElementById(`${name}-inside`);
  loading = true;
  try {
    const response = await fetch(document.querySelector(LINKS[name]).href, { headers: { "HX-Request": "true" } });
    if (!response.ok) throw new Error(response.statusText);
    await htmx.swap({ target: inside, swap: "innerMorph", text: await response.text() });
  } catch {
    inside.textContent = sentence(`no_${name}`);
  }
  loading = false;
}

document.addEventListener("click", (event) => {
  const why = event.target.closest("#last [data-why]");
  if (why && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    loadWhy(why);
    return;
  }
  const name = Object.keys(LINKS).find((each) => event.target.closest(LINKS[each]));
  if (!name || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(name);
});

/** Tell within the dialog of the last deal why a bot moved as it did, below that move. */
async function loadWhy(link) {
  const line = link.closest("li");
  const told = line.querySelector(".told-why") ?? line.appendChild(document.createElement("div"));
  told.className = "told-why";
  told.role = "status";
  told.textContent = "…";
  const response = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (response?.ok) await htmx.swap({ target: told, swap: "innerHTML", text: await response.text() });
  else told.textContent = sentence("no_why");
}

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
