// What the analysis says of a move, in a dialog.

import { showDialog } from "../site/back.js";
import { page } from "./page.js";
import { pause } from "./playing.js";

const dialog = document.getElementById("judged");
const told = document.getElementById("judged-told");

page.addEventListener("click", async (event) => {
  const link = event.target.closest("a.verdict");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pause();
  const response = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!response?.ok) {
    location.assign(link.href); // the page says what is wrong
    return;
  }
  await htmx.swap({ target: told, swap: "innerHTML", text: await response.text() });
  showDialog(dialog);
});
