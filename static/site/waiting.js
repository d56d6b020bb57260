// What the bell counts: tables that wait for the reader, and what is new. It stands in the title, in the icon and at the
// bell of every page, and is told while nobody sees the page. Sockets bring it, and pages tell each other.

import { notify } from "../notifications/browser.js";
import { sentence } from "./sentences.js";
import { setting } from "./settings.js";
import { isLeaving } from "./socket.js";

const known = "waiting" in document.body.dataset;
const icon = document.querySelector('link[rel="icon"]');
const plain = icon.href;
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("valat.waiting") : new EventTarget();

const count = { waiting: Number(document.body.dataset.waiting ?? 0), bell: Number(document.body.dataset.bell ?? 0) };
const total = () => count.waiting + count.bell;
let turn = false; // whether it is the reader's turn at the table of this page

/** Say whether it is the reader's turn at the table of this page: its icon shows so, also where nobody waits. */
export function setTurn(now) {
  turn = now;
  showIcon();
}

function hear(news) {
  const before = { ...count };
  for (const name of Object.keys(count)) if (Number.isInteger(news?.[name])) count[name] = news[name];
  if ("messages" in (news ?? {})) showMessages(news.messages);
  show();
  const said = elsewhere(count.waiting) > elsewhere(before.waiting) ? "waiting" : count.bell > before.bell ? "news" : "";
  if (said && setting("notify") === "on") notify(sentence(said, { count: said === "news" ? count.bell : count.waiting }));
  if (!isLeaving() && "bell" in (news ?? {})) {
    document.dispatchEvent(new CustomEvent("bell:rang", { detail: count.bell > before.bell }));
  }
}

/** How many of so many tables are others than this page's, which speaks for itself. */
const elsewhere = (number) => Math.max(0, number - (turn ? 1 : 0));

// The title: whoever writes it anew writes it without the number

const PREFIX = /^\(\d+\) /;

function showTitle() {
  const bare = document.title.replace(PREFIX, "");
  const title = total() ? `(${total()}) ${bare}` : bare;
  if (document.title !== title) document.title = title;
}

// The icon

function showIcon() {
  const wanted = total() ? numbered(total()) : turn ? document.getElementById("match").dataset.turnIcon : plain;
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
  const bell = document.getElementById("bell");
  if (!bell) return; // the bars of embedded pages have none
  const number = document.getElementById("bell-count");
  bell.classList.toggle("is-quiet", !total());
  number.hidden = !total();
  number.textContent = total() > 99 ? "99+" : total();
  document.getElementById("bell-words").textContent = total() ? `: ${sentence("news", { count: total() })}` : "";
}

function showMessages(unread) {
  const place = document.getElementById("messages-unread");
  if (!place) return;
  place.hidden = !unread;
  place.textContent = unread;
}

// Hearing of it

document.addEventListener("socket:message", ({ detail: message }) => {
  if (!("waiting" in message || "bell" in message)) return;
  hear(message);
  others.postMessage?.(message);
});

others.addEventListener("message", ({ data }) => known && hear(data));
navigator.serviceWorker?.addEventListener("message", ({ data }) => hear({ waiting: data?.waiting }));

if (known) {
  show();
  new MutationObserver(showTitle).observe(document.querySelector("title"), { childList: true });
}
