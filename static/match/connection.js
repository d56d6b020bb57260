// The socket of the table: what comes down it, and what is done while there is none.
//
// hx-ws opens it, sends over it, and tries again by itself with growing pauses. Here the frames are passed on, lost time
// is shown, a socket that no longer answers is replaced, and while there is none the page asks by ordinary requests.
// When each of these is due, link.js says.

import { Link } from "./link.js";
import { sentence } from "../site/sentences.js";
import { address, match, seen, show, whenDrawn } from "./table.js";

const WELCOME = 4000; // milliseconds for which we say that we are back

const link = new Link(performance.now(), isOpen());

/** Changes whenever the socket opens or gets lost: what was sent before may never have arrived. */
export const epoch = () => link.epoch;

function connection() {
  return match._htmx?.ws?.connection; // where hx-ws itself looks for it
}

function isOpen() {
  return connection()?.socket?.readyState === WebSocket.OPEN;
}

/** Ask for the whole table. */
export function sync() {
  if (!isOpen()) return;
  connection().socket.send(JSON.stringify({ sync: 1 }));
  link.sent(performance.now());
}

function reconnect() {
  const unsent = connection()?.queue.splice(0) ?? [];
  htmx.process(match, true);
  connection()?.queue.push(...unsent);
}

/** Whenever this socket opens again, its address says how many moves the page has been told of. */
function sayWhatIsSeen(socket) {
  const [plain] = socket.url.split("?");
  Object.defineProperty(socket, "url", { get: () => `${plain}?seen=${seen()}`, configurable: true });
}

if (connection()) sayWhatIsSeen(connection());
document.addEventListener("htmx:ws:before:connection", ({ detail }) => sayWhatIsSeen(detail.connection));

document.addEventListener("htmx:ws:after:connection", () => link.opened(performance.now()));

document.addEventListener("htmx:ws:close", ({ detail }) => {
  if (detail.reason !== "closed") return;
  link.closed(performance.now(), detail.code);
  check();
});

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  event.preventDefault(); // drawn here, when its time has come
  link.heard(performance.now());
  const text = event.detail.message.data;
  if (!text.startsWith("{")) show(text);
  else take(JSON.parse(text));
});

document.addEventListener("htmx:ws:after:message:outgoing", () => link.sent(performance.now()));

function take(message) {
  if ("refused" in message) refused(message.refused);
  else if ("talk" in message) document.dispatchEvent(new CustomEvent("table:talk", { detail: message.talk }));
}

function refused(why) {
  document.dispatchEvent(new CustomEvent("table:refused", { detail: why }));
}

const ACTS = { ask: sync, reconnect, poll };

function check() {
  const { bar, act } = link.check(performance.now(), document.hidden);
  if (bar) tell(sentence(bar.said), bar.button);
  ACTS[act]?.();
}
setInterval(check, 1000);

function tell(said, withButton) {
  const bar = document.getElementById("connection");
  const words = bar.querySelector("span");
  bar.hidden = false;
  if (words.textContent !== said) words.textContent = said;
  bar.querySelector("button").hidden = !withButton;
}

whenDrawn(({ frame, moves }) => {
  const missed = frame.moves - moves;
  if (!link.welcome()) return;
  tell(missed ? sentence("back_after", { count: missed }) : sentence("back"), false);
  setTimeout(() => (document.getElementById("connection").hidden = !link.missed), WELCOME);
});

// Without a socket

async function poll() {
  if (!connection()) reconnect(); // closed in a way that hx-ws takes for good
  const queue = connection()?.queue ?? [];
  const unsent = queue.shift();
  let posted = !unsent;
  let answered = false;
  try {
    if (unsent) await post(unsent);
    posted = true;
    const response = await fetch(`${address}?seen=${seen()}`);
    answered = readTable(pageOf(await response.text()));
  } catch {
    if (!posted) queue.unshift(unsent);
  }
  link.polled(performance.now(), answered);
}

/** Post what hx-ws could not send: the form's own address takes the same fields. It leads on to the table, or answers
    with a page that says why not. */
async function post({ element, message }) {
  const { headers, ...fields } = JSON.parse(message.data);
  const response = await fetch(element.action, { method: "POST", body: listed(fields), redirect: "manual" });
  if (response.status >= 500) throw new Error("The site is away.");
  if (response.type !== "opaqueredirect") readRefusal(pageOf(await response.text()));
}

/** Fields as a form sends them: one that is there several times is a list. */
function listed(fields) {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
  return body;
}

const pageOf = (text) => new DOMParser().parseFromString(text, "text/html");

function readRefusal(page) {
  const refusal = page.getElementById("refusal");
  if (refusal && !refusal.hidden) refused(refusal.textContent);
}

function readTable(page) {
  const table = page.getElementById("table");
  if (table) show(table.innerHTML);
  const talk = page.getElementById("talk-inside");
  if (talk) document.dispatchEvent(new CustomEvent("table:talk", { detail: talk.innerHTML }));
  return Boolean(table);
}

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.hasAttribute("hx-ws:send")) return;
    if (link.ended) event.stopImmediatePropagation(); // an ordinary form again
    else if (link.isPolling(performance.now())) setTimeout(() => link.hurry(), 100); // when hx-ws has queued it
  },
  true,
);

// Good moments to try again

function tryNow() {
  if (link.ended) location.reload();
  else if (!isOpen() || link.lost) reconnect();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("#connection button")) tryNow();
});
window.addEventListener("online", tryNow);
window.addEventListener("offline", () => link.lose(performance.now()));
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (!isOpen()) tryNow();
  else if (link.isSilent(performance.now())) sync();
});
