// What is said at the table: the lines of the panel, a bubble at the seat of whoever speaks, and how many lines are new.
// All that may be read comes at once whenever anything has changed: the panel's inside, drawn by the server.

import { sentence } from "../site/sentences.js";
import { say } from "../match/voice.js";

const STAYS = 5000; // milliseconds for which a bubble is seen
const AT_ONCE = 4; // bubbles of what came together: after a pause the panel has the rest

const panel = () => document.getElementById("talk");
const told = () => document.getElementById("told");
const newest = () => Number(told()?.dataset.latest || 0);

let latest = newest();
let unread = 0;
let unsent = ""; // what was written last, in case that it is refused

document.addEventListener("table:talk", ({ detail }) => {
  if (!told()) return;
  const template = document.createElement("template");
  template.innerHTML = detail;
  const { scrollTop, scrollHeight, clientHeight } = lines();
  const following = scrollTop + clientHeight > scrollHeight - 40;
  told().replaceWith(template.content.querySelector("#told"));
  lines().scrollTop = following ? lines().scrollHeight : scrollTop;
  offer();
  tellNews();
});
document.addEventListener("page:drawn", () => {
  offer();
  tellNews();
});

const lines = () => told().querySelector(".lines");

/** Show what can be said now. */
function offer() {
  if (!told()) return;
  const { company, open, write, phrases } = told().dataset;
  const offered = new Set(phrases.split(" "));
  document.getElementById("bar-talk").hidden = !company;
  document.getElementById("talk-words").hidden = !write;
  document.getElementById("talk-phrases").hidden = !open;
  for (const button of document.querySelectorAll("#talk-phrases button")) button.hidden = !offered.has(button.value);
  count();
}

function tellNews() {
  if (!told()) return;
  const news = [...told().querySelectorAll("[data-line]")].filter(({ dataset }) => Number(dataset.line) > latest);
  latest = Math.max(latest, newest());
  const others = news.filter(({ dataset }) => !dataset.mine);
  if (news.length > others.length) written();
  for (const line of others) say(spoken(line));
  for (const line of news.slice(-AT_ONCE)) bubble(line);
  unread = panel().matches(":popover-open") ? 0 : unread + others.length;
  count();
}

function spoken(line) {
  const words = line.querySelector(".words").textContent;
  return sentence(line.dataset.icon ? "reacts" : "says", { name: line.dataset.name, words });
}

function count() {
  const badge = document.getElementById("talk-unread");
  if (!badge) return;
  badge.hidden = !unread;
  badge.textContent = unread > 9 ? "9+" : unread;
  document.getElementById("bar-talk").ariaLabel = unread ? sentence("unread", { count: unread }) : sentence("talk");
}

// Bubbles

function bubble(line) {
  const { seat, icon } = line.dataset;
  const plaque = seat === undefined ? null : document.querySelector(`#felt .seat-${seat} .plaque`);
  if (!plaque) return;
  const over = document.getElementById("bubbles");
  over.querySelector(`[data-seat="${seat}"]`)?.remove();
  const element = document.createElement("p");
  element.className = "bubble";
  element.dataset.seat = seat;
  if (icon) element.append(line.querySelector(".icon").cloneNode(true));
  else element.textContent = line.querySelector(".words").textContent;
  over.append(element);
  place(element);
  setTimeout(() => element.remove(), STAYS);
}

/** Over the plaque of its seat, or under it at the top of the window; never beyond the window’s edges. */
function place(element) {
  const plaque = document.querySelector(`#felt .seat-${element.dataset.seat} .plaque`)?.getBoundingClientRect();
  if (!plaque) return;
  const { width, height } = element.getBoundingClientRect();
  const above = plaque.top - height - 8;
  const left = plaque.left + plaque.width / 2 - width / 2;
  element.style.left = `${Math.max(6, Math.min(left, innerWidth - width - 6))}px`;
  element.style.top = `${above < 4 ? plaque.bottom + 8 : above}px`;
}

function placeAll() {
  for (const element of document.querySelectorAll(".bubble")) place(element);
  leaveRoom();
}
document.addEventListener("table:drawn", placeAll);
addEventListener("resize", placeAll);

// The panel

/** How far down the panel may reach: to the hand. */
function leaveRoom() {
  const hand = document.getElementById("mine")?.getBoundingClientRect();
  panel()?.style.setProperty("--hand", hand ? `${Math.round(hand.top)}px` : "");
}

document.addEventListener(
  "toggle",
  ({ target, newState }) => {
    if (target.id !== "talk" || newState !== "open") return;
    leaveRoom();
    unread = 0;
    count();
    lines().scrollTop = lines().scrollHeight;
  },
  true,
);
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && panel()?.contains(document.activeElement)) {
    panel().hidePopover();
    document.getElementById("bar-talk").focus();
  }
});

// What is written stays until it is said, and comes back where it is refused.

const field = () => document.getElementById("talk-text");

document.addEventListener("submit", ({ target }) => {
  if (target.id === "talk-words") unsent = field().value;
});
function written() {
  if (field() && field().value === unsent) field().value = "";
  unsent = "";
}

offer();
