// The page of a tally: digits by thumb, the sheet while others write, and printing. This device keeps a copy for those who
// write, so that they can go on without a network.

import { bellAddress } from "../notifications/bell.js";
import { Socket } from "../site/socket.js";
import { isBegun } from "./keypad.js";
import { copy } from "./outbox.js";
import { tallyOf } from "./shelf.js";

const page = document.querySelector("[data-tally]");
const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value;

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

if (page) {
  const socket = new Socket(() => `/ws/tallies/${page.dataset.tally}/`);
  document.addEventListener("visibilitychange", () => (document.hidden && !bellAddress ? socket.close() : socket.connect()));
  document.addEventListener("socket:html", ({ detail }) => show(detail));
  document.addEventListener("submit", () => socket.close()); // What this form changes is no news.
}

const DRAFT = "valat.draft"; // in sessionStorage, as static/tallies/table.js reads it

if (page && "writes" in page.dataset) {
  keepCopy().catch(() => {}); // A browser may forbid storage. Then the page works with a network only.
  document.addEventListener("socket:html", () => keepCopy().catch(() => {}));
  document.addEventListener("submit", ({ target, submitter }) => target.id === "tally-entry" && keepDraft(target, submitter));
  document.addEventListener("htmx:error", goOnHere);
  sessionStorage.removeItem(DRAFT);
}

/** Without a network the form cannot be drawn anew: this device goes on with it, if it keeps the page for that. */
function goOnHere() {
  const form = document.getElementById("tally-entry");
  if (!form || !navigator.serviceWorker?.controller) return;
  keepDraft(form);
  location.assign(`/tallies/offline/#${page.dataset.tally}`);
}

async function keepCopy() {
  await copy(page.dataset.tally, await tallyOf(page.dataset.tally));
}

/** Keep what is on its way, in case that the network is lost with it. */
function keepDraft(form, submitter) {
  const values = new FormData(form, submitter?.name ? submitter : null);
  const data = Object.fromEntries([...new Set(values.keys())].map((name) => [name, values.getAll(name)]));
  sessionStorage.setItem(DRAFT, JSON.stringify({ code: page.dataset.tally, data }));
}

function show(html) {
  const parts = new DOMParser().parseFromString(html, "text/html").body.children;
  for (const part of [...parts]) {
    const old = document.getElementById(part.id);
    if (part.id === "tally-top" && old && old.dataset.revision !== part.dataset.revision) noteNews();
    addToken(part);
    old?.replaceWith(part);
  }
}

/** The form was drawn before the news: say so if somebody has begun to fill it in, else draw it anew. */
function noteNews() {
  const form = document.getElementById("tally-entry");
  const news = document.getElementById("tally-news");
  if (!form || !news) return;
  if (isBegun()) news.hidden = false;
  else location.reload();
}

/** Forms from a socket have no token against forged requests. */
function addToken(part) {
  for (const form of part.querySelectorAll("form:not(:has([name=csrfmiddlewaretoken]))")) {
    form.insertAdjacentHTML("afterbegin", '<input type="hidden" name="csrfmiddlewaretoken">');
    form.elements.csrfmiddlewaretoken.value = token() ?? "";
  }
}
