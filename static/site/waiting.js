// How many tables wait for the reader: in the title, in the icon and beside "Play" of every page; told while nobody sees it.
//
// Pages with a socket hear of it there. The others ask from time to time while they are seen.

import { notify } from "../notifications/browser.js";
import { sentence } from "./sentences.js";
import { setting } from "./settings.js";

const ASK_EVERY = 60_000; // milliseconds

const known = "waiting" in document.body.dataset;
const atTable = document.getElementById("match") !== null;
const icon = document.querySelector('link[rel="icon"]');
const plain = icon.href;
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("valat.waiting") : new EventTarget();

let waiting = Number(document.body.dataset.waiting ?? 0);
let turn = false; // whether it is the reader's turn at the table of this page

/** Say whether it is the reader's turn at the table of this page: its icon shows so, also where nobody waits. */
export function setTurn(now) {
  turn = now;
  showIcon();
}

function hear(number) {
  if (!Number.isInteger(number) || number === waiting) return;
  const more = elsewhere(number) > elsewhere(waiting);
  waiting = number;
  show();
  if (more && setting("notify") === "on") notify(sentence("waiting", { count: number }));
}

/** How many of so many tables are others than this page's, which speaks for itself. */
const elsewhere = (number) => Math.max(0, number - (turn ? 1 : 0));

// The title: whoever writes it anew writes it without the number

const PREFIX = /^\(\d+\) /;

function showTitle() {
  const bare = document.title.replace(PREFIX, "");
  const title = waiting ? `(${waiting}) ${bare}` : bare;
  if (document.title !== title) document.title = title;
}

// The icon

function showIcon() {
  const wanted = waiting ? numbered(waiting) : turn ? document.getElementById("match").dataset.turnIcon : plain;
  if (icon.href !== wanted) icon.href = wanted;
}

function numbered(number) {
  const text = number > 9 ? "9+" : String(number);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#14493a"/>
    <rect x="14" y="9" width="27" height="44" rx="5" fill="#fffaf0" transform="rotate(-10 28 32)"/>
    <circle cx="42" cy="40" r="21" fill="#c3221f" stroke="#fffaf0" stroke-width="3"/><text x="42" y="51" text-anchor="middle"
    font-family="sans-serif" font-weight="bold" font-size="${text.length > 1 ? 24 : 32}" fill="#fff">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

function show() {
  showTitle();
  showIcon();
  const place = document.getElementById("tables-waiting");
  if (!place) return; // the bars of tables and replays have no room for it
  const [number, words] = place.children;
  place.hidden = !waiting;
  number.textContent = waiting;
  words.textContent = `: ${sentence("waiting", { count: waiting })}`;
}

// Hearing of it

document.addEventListener("socket:message", ({ detail: message }) => {
  if (!("waiting" in message)) return;
  hear(message.waiting);
  others.postMessage?.(waiting);
});

others.addEventListener("message", ({ data }) => hear(data));
navigator.serviceWorker?.addEventListener("message", ({ data }) => hear(data?.waiting));

async function ask() {
  const seen = !document.hidden;
  if (atTable || !(seen || setting("notify") === "on")) return;
  try {
    const response = await fetch("/notices/waiting/", { headers: { Accept: "application/json" } });
    if (response.ok && !response.redirected) hear((await response.json()).waiting);
  } catch {
    // the site is away: the next time
  }
}

if (known) {
  show();
  new MutationObserver(showTitle).observe(document.querySelector("title"), { childList: true });
  setInterval(ask, ASK_EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  window.addEventListener("pageshow", ({ persisted }) => persisted && ask());
}
