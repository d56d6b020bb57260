// The score sheet in a dialog over the table: its link opens it, and it keeps up while it is open.

import { showDialog } from "../site/back.js";
import { whenDrawn } from "./table.js";

const LINK = "[data-open-sheet]";

let loading = false;

/** Open the score sheet of the match, if it has one. */
export async function openSheet() {
  if (!document.querySelector(LINK)) return;
  await load();
  const dialog = document.getElementById("sheet");
  if (!dialog.open) showDialog(dialog);
  dialog.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

async function load() {
  loading = true;
  try {
    const response = await fetch(document.querySelector(LINK).href, { headers: { "HX-Request": "true" } });
    if (!response.ok) throw new Error(response.statusText);
    await htmx.swap({ target: "#sheet-inside", swap: "innerMorph", text: await response.text() });
  } catch {
    document.getElementById("sheet-inside").textContent = "The score sheet can't be fetched just now.";
  }
  loading = false;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(LINK) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openSheet();
});

whenDrawn(({ frame, moves }) => {
  if (frame.moves !== moves && document.getElementById("sheet").open && !loading) load();
});
