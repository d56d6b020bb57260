// The rules in a panel beside the table, or over it on a small screen, opened where they tell of the phase one is in.

import { showDialog } from "../site/back.js";
import { sentence } from "../site/sentences.js";

const LINK = "[data-open-rules]";
const BESIDE = matchMedia("(min-width: 60rem)");
const ABOVE = 8; // pixels above the heading that is scrolled to
const OWN = "rules-"; // before the ids of the text, which may be those of the table

const panel = () => document.getElementById("rules-panel");
const inside = () => document.getElementById("rules-inside");

/** Open the rules where they tell of `place`, an id on their page. */
async function open(link, place) {
  if (!inside().childElementCount) await load(link);
  if (!panel().open) {
    if (BESIDE.matches) panel().show();
    else showDialog(panel());
  }
  scrollTo(place && document.getElementById(OWN + place));
}

async function load(link) {
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    inside().replaceChildren(...withOwnIds(page.getElementById("rules-text")).children);
  } catch {
    inside().textContent = sentence("no_rules");
  }
}

function withOwnIds(text) {
  for (const element of text.querySelectorAll("[id]")) element.id = OWN + element.id;
  for (const link of text.querySelectorAll('a[href^="#"]')) link.hash = OWN + link.hash.slice(1);
  return text;
}

function scrollTo(heading) {
  if (heading) panel().scrollTop = heading.getBoundingClientRect().top - inside().getBoundingClientRect().top - ABOVE;
  else panel().scrollTop = 0;
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const within = event.target.closest('#rules-inside a[href^="#"]');
  const link = event.target.closest(LINK);
  if (!within && !link) return;
  event.preventDefault();
  const note = link?.closest(".word-note");
  note?.hidePopover();
  if (within) scrollTo(document.querySelector(within.hash));
  else if (note) open(link, link.hash.slice(1));
  else if (panel().open) panel().close();
  else open(link, document.getElementById("felt")?.dataset.rules);
});

document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && panel()?.open && !document.querySelector("dialog:modal, :popover-open")) panel().close();
});
