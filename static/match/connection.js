// The socket of the table: what comes down it, and what is done while there is none.
//
// hx-ws opens it, sends over it, and tries again by itself with growing pauses. Here the frames are passed on, lost time
// is shown, a socket that no longer answers is replaced, and while there is none the page asks by ordinary requests.

import { address, match, show, whenDrawn } from "./table.js";

// Milliseconds
const BAR_AFTER = 2000;
const POLL_AFTER = 5000; // and again after as long
const BUTTON_AFTER = 10_000;
const ANSWER_WITHIN = 4000; // else something is wrong; after twice as long the socket is given up
const SILENCE = 30_000; // a socket that has said nothing for so long is asked
const WELCOME = 4000;

const LOST = "Reconnecting. Your cards are safe.";
const POLLED = "No live connection: the table is looked at every few seconds.";
const ENDS = {
  4404: "This match is no longer here.",
  4429: "This page was cut off: that was too much at once. Reload it to go on.",
};

/** How often the socket has opened or got lost: what was sent at another count may never have arrived. */
export let epoch = 0;

let lostAt = isOpen() ? null : performance.now(); // null while there is a socket
let askedAt = null; // when the oldest message was sent that has no answer yet
let heardAt = performance.now();
let polledAt = -Infinity;
let polled = false; // whether the last poll was answered
let ended = ""; // why there will be no socket again
let missing = false; // whether the player was told that we are not connected

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
  askedAt ??= performance.now();
}

function reconnect() {
  const unsent = connection()?.queue.splice(0) ?? [];
  htmx.process(match, true);
  connection()?.queue.push(...unsent);
}

function lost(at) {
  if (lostAt !== null) return;
  lostAt = at;
  epoch += 1;
}

function found() {
  if (lostAt === null) return;
  lostAt = null;
  polled = false;
}

document.addEventListener("htmx:ws:after:connection", () => {
  epoch += 1;
  askedAt = null;
  heardAt = performance.now();
  found();
});

document.addEventListener("htmx:ws:close", ({ detail }) => {
  if (detail.reason !== "closed") return;
  lost(performance.now());
  ended = ENDS[detail.code] ?? "";
  tick();
});

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  event.preventDefault(); // drawn here, when its time has come
  heardAt = performance.now();
  askedAt = null;
  found();
  const text = event.detail.message.data;
  if (text.startsWith("{")) refused(JSON.parse(text).refused);
  else show(text);
});

document.addEventListener("htmx:ws:after:message:outgoing", () => (askedAt ??= performance.now()));

function refused(sentence) {
  document.dispatchEvent(new CustomEvent("table:refused", { detail: sentence }));
}

// Once a second

function tick() {
  const now = performance.now();
  const trouble = lostAt ?? (askedAt === null ? Infinity : askedAt + ANSWER_WITHIN - BAR_AFTER);
  if (ended) tell(ended, true);
  else if (now - trouble > BAR_AFTER) tell(polled ? POLLED : LOST, now - trouble > BUTTON_AFTER);
  if (ended) return;
  if (lostAt === null) {
    if (askedAt !== null && now - askedAt > 2 * ANSWER_WITHIN) {
      lost(askedAt);
      reconnect();
    } else if (!document.hidden && now - heardAt > SILENCE) sync();
  } else if (now - lostAt > POLL_AFTER && now - polledAt > POLL_AFTER) {
    if (!connection()) reconnect(); // closed in a way that hx-ws takes for good
    poll();
  }
}
setInterval(tick, 1000);

function tell(sentence, withButton) {
  const bar = document.getElementById("connection");
  const words = bar.querySelector("span");
  missing = true;
  bar.hidden = false;
  if (words.textContent !== sentence) words.textContent = sentence;
  bar.querySelector("button").hidden = !withButton;
}

whenDrawn(({ frame, moves }) => {
  if (!missing || lostAt !== null || askedAt !== null) return;
  const missed = frame.moves - moves;
  tell(missed ? `You are back. You missed ${missed === 1 ? "1 move" : `${missed} moves`}.` : "You are back.", false);
  missing = false;
  setTimeout(() => (document.getElementById("connection").hidden = !missing), WELCOME);
});

// Without a socket

async function poll() {
  polledAt = Infinity; // one at a time
  const queue = connection()?.queue ?? [];
  const unsent = queue.shift();
  try {
    const response = unsent ? await post(unsent) : await fetch(address);
    polled = readPage(await response.text());
  } catch {
    polled = false;
    if (unsent) queue.unshift(unsent);
  }
  polledAt = performance.now();
}

/** Post what hx-ws could not send: the form's own address takes the same fields. */
function post({ element, message }) {
  const { headers, ...fields } = JSON.parse(message.data);
  return fetch(element.action, { method: "POST", body: listed(fields) });
}

function readPage(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const table = page.getElementById("table");
  const refusal = page.getElementById("refusal");
  if (refusal && !refusal.hidden) refused(refusal.textContent);
  if (table) show(table.innerHTML);
  return Boolean(table);
}

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.hasAttribute("hx-ws:send")) return;
    if (ended) event.stopImmediatePropagation(); // an ordinary form again
    else if (lostAt !== null && performance.now() - lostAt > POLL_AFTER) setTimeout(() => (polledAt = -Infinity), 100);
  },
  true,
);

// Good moments to try again

function tryNow() {
  if (ended) location.reload();
  else if (!isOpen() || lostAt !== null) reconnect();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("#connection button")) tryNow();
});
window.addEventListener("online", tryNow);
window.addEventListener("offline", () => lost(performance.now()));
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (!isOpen()) tryNow();
  else if (performance.now() - heardAt > SILENCE) sync();
});

/** Fields as a form sends them: one that is there several times is a list. */
function listed(fields) {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
  return body;
}
