// A hint: asked for without leaving the table, told above the hand and spoken, gone with the next move.

import { sentence } from "../site/sentences.js";
import { match, whenDrawn } from "./table.js";
import { answer } from "./voice.js";

const panel = () => document.getElementById("hint-told");
const inside = () => document.getElementById("hint-inside");

document.addEventListener("submit", (event) => {
  if (event.target.id !== "hint" || !event.submitter) return;
  event.preventDefault();
  ask(event.target, event.submitter);
});

document.addEventListener("click", ({ target }) => {
  if (target.closest("#hint-close")) close();
});

document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") close();
});

whenDrawn(({ frame, moves }) => {
  if (moves !== null && frame.moves !== moves && panel()) panel().hidden = true;
});

async function ask(form, button) {
  if (button.ariaBusy === "true") return;
  const { value } = button;
  button.ariaBusy = "true";
  const response = await fetch(form.action, {
    method: "POST",
    body: new FormData(form, button),
    headers: { "HX-Request": "true" },
  }).catch(() => null);
  button.ariaBusy = null;
  if (document.getElementById("hint-button")?.value !== value) return; // the table has moved on
  const told = response?.headers.get("Content-Type")?.startsWith("text/html") && (await response.text());
  if (told) await htmx.swap({ sourceElement: match, target: inside(), swap: "innerHTML", text: told });
  else inside().textContent = sentence("no_hint");
  panel().hidden = false;
  answer([...inside().querySelectorAll("p")].map(({ textContent }) => textContent.trim()).join(" "));
}

/** Close it, and leave the focus where it was asked for. */
function close() {
  if (!panel() || panel().hidden) return;
  const within = panel().contains(document.activeElement);
  panel().hidden = true;
  if (within) document.getElementById("hint-button")?.focus();
}
