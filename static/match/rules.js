// The rules in a panel beside the table, or over it on a small screen, opened where they tell of the phase one is in.

const LINK = "[data-open-rules]";
const BESIDE = matchMedia("(min-width: 60rem)");
const ABOVE = 8; // pixels above the heading that is scrolled to
const OWN = "rules-"; // before the ids of the text, which may be those of the table

const panel = () => document.getElementById("rules-panel");
const inside = () => document.getElementById("rules-inside");

/** Open the rules, or close them where they are open. */
export async function toggleRules() {
  const link = document.querySelector(LINK);
  if (!link) return;
  if (panel().open) {
    panel().close();
    return;
  }
  if (!inside().childElementCount) await load(link);
  if (BESIDE.matches) panel().show();
  else panel().showModal();
  const section = document.getElementById("felt")?.dataset.rules;
  scrollTo(section && document.getElementById(OWN + section));
}

async function load(link) {
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    inside().replaceChildren(...withOwnIds(page.getElementById("rules-text") ?? page.querySelector("main")).children);
  } catch {
    inside().textContent = "The rules can't be fetched just now.";
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
  if (!within && !event.target.closest(LINK)) return;
  event.preventDefault();
  if (within) scrollTo(document.querySelector(within.hash));
  else toggleRules();
});

document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && panel()?.open && !document.querySelector("dialog:modal, :popover-open")) panel().close();
});
