// The socket of the table: passes on what it receives, sends what players do, and shows when the connection is lost.
//
// A socket that no longer answers is replaced, and while there is none the page asks by ordinary requests. link.js says
// when each of these is due.

import { Link } from "./link.js";
import { sentence } from "../site/sentences.js";
import { Socket, fetchPage } from "../site/socket.js";
import { address, match, seen, show, whenDrawn } from "./table.js";

const WELCOME = 4000; // milliseconds for which we say that we are back

const link = new Link(performance.now());
const socket = new Socket(() => `/ws${address}?seen=${seen()}`);
const unsent = new Map(); // the newest fields of each form that wait to be sent

/** Changes whenever the socket opens or gets lost: what was sent before may never have arrived. */
export const epoch = () => link.epoch;

/** Ask for the whole table. */
export const sync = () => send({ sync: 1 });

function send(message) {
  if (socket.send(message)) link.sent(performance.now());
}

document.addEventListener("socket:open", () => {
  link.opened(performance.now());
  sendForms();
});
document.addEventListener("socket:close", ({ detail: reason }) => {
  link.closed(performance.now(), reason);
  check();
});
document.addEventListener("socket:html", ({ detail: html }) => {
  link.heard(performance.now());
  show(html);
});
document.addEventListener("socket:message", ({ detail: message }) => {
  link.heard(performance.now());
  if ("refused" in message) tellTable("refused", message.refused);
  if ("talk" in message) tellTable("talk", message.talk);
});

const tellTable = (name, detail) => document.dispatchEvent(new CustomEvent(`table:${name}`, { detail }));

const ACTS = { ping: () => send({ ping: 1 }), reconnect: () => socket.connect(), poll };

function check() {
  const clock = "clock" in match.dataset && match.dataset.status === "playing";
  const { bar, act } = link.check(performance.now(), { clock, hidden: document.hidden });
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

// Forms with data-live go up the socket

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!("live" in form.dataset) || event.defaultPrevented || link.ended) return; // else it is an ordinary form
  event.preventDefault();
  unsent.set(form, new URLSearchParams(new FormData(form, submitter)));
  if (socket.isOpen) sendForms();
  else if (link.isPolling(performance.now())) link.hurry();
});

function sendForms() {
  for (const [form, fields] of unsent) {
    unsent.delete(form);
    send(messageOf(fields));
    tellTable("sent", form);
  }
}

/** The fields of a form as a message: one that is there several times is a list. */
function messageOf(fields) {
  const message = {};
  for (const [name, value] of fields) message[name] = name in message ? [message[name], value].flat() : value;
  return message;
}

// Without a socket

async function poll() {
  let answered = false;
  try {
    for (const [form, fields] of unsent) await post(form, fields);
    answered = readTable(await fetchPage(`${address}?seen=${seen()}`));
  } catch {
    // The site is away.
  }
  link.polled(performance.now(), answered);
  if (answered && !socket.isOpen) socket.connect();
}

/** Post what could not be sent. The answer leads on to the table, or is a page that says why not. */
async function post(form, fields) {
  unsent.delete(form);
  try {
    readRefusal(await fetchPage(form.action, { method: "POST", body: fields, redirect: "manual" }));
  } catch (error) {
    if (!unsent.has(form)) unsent.set(form, fields); // else there is something newer
    throw error;
  }
}

function readRefusal(page) {
  const refusal = page?.getElementById("refusal");
  if (refusal && !refusal.hidden) tellTable("refused", refusal.textContent);
}

function readTable(page) {
  const table = page.getElementById("table");
  if (table) show(table.innerHTML);
  const talk = page.getElementById("talk-inside");
  if (talk) tellTable("talk", talk.innerHTML);
  return Boolean(table);
}

// Good moments to try again

function tryNow() {
  if (link.ended) location.reload();
  else if (!socket.isOpen || link.lost) socket.connect();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("#connection button")) tryNow();
});
window.addEventListener("online", tryNow);
window.addEventListener("offline", () => link.lose(performance.now()));
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (!socket.isOpen) tryNow();
  else if (link.isSilent(performance.now())) sync();
});
