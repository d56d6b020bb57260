// Playing a card or a bid: one tap with a mouse, two by touch; once only; marked until the server has answered.

import { epoch } from "./connection.js";
import { setting } from "../site/settings.js";
import { endHold, shown, whenDrawn } from "./table.js";
import { hideRefusal, refuse, say } from "./voice.js";

// Milliseconds
const TWICE = 500; // a second tap within this time was not meant
const SLOW = 400; // an answer that takes longer is waited for with a spinner

const MOVES = 'button[form="play"]';

let pointer = "mouse"; // the kind that came down last
let tappedAt = -Infinity;
let lifted = null; // the id of the button that was tapped once
let sent = null; // {id, seen, epoch, slow}: the move that has no answer yet

document.addEventListener("pointerdown", ({ pointerType }) => (pointer = pointerType), true);

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest(MOVES);
    if (!button) {
      if (event.target.closest("#table")) lift(null);
      return;
    }
    const soon = event.timeStamp - tappedAt < TWICE;
    const byKey = event.detail === 0;
    const refusable = button.ariaDisabled === "true"; // the server says why, so one tap is enough
    if (!byKey && twoTaps() && lifted !== button.id && !refusable) {
      event.preventDefault();
      lift(button.id);
      say(`${button.querySelector("[aria-label]")?.ariaLabel ?? button.innerText}: tap again.`);
    } else if (soon || sent) {
      event.preventDefault();
      return;
    }
    tappedAt = event.timeStamp;
  },
  true,
);

document.addEventListener("keydown", ({ key, target }) => {
  if (!target.closest(MOVES)) return;
  if (key === "ArrowUp") lift(target.id);
  if (key === "ArrowDown") lift(null);
});

document.addEventListener(
  "submit",
  ({ target, submitter }) => {
    if (!target.hasAttribute("hx-ws:send") || !submitter) return;
    submitter.ariaBusy = "true";
    if (target.id !== "play") return;
    const move = { id: submitter.id, seen: shown().moves, epoch: null, slow: false };
    sent = move;
    mark();
    setTimeout(() => {
      move.slow = true;
      mark();
    }, SLOW);
    hideRefusal();
    setTimeout(endHold); // not before hx-ws has read what this table had seen
  },
  true, // before hx-ws, which sends at once
);

document.addEventListener("htmx:ws:after:message:outgoing", ({ target }) => {
  if (sent && target.id === "play") sent.epoch = epoch();
});

document.addEventListener("table:refused", ({ detail }) => {
  unmark();
  lift(null);
  refuse(detail);
});

whenDrawn(({ frame }) => {
  if (sent && frame.moves > sent.seen) unmark();
  else if (sent && sent.epoch !== null && sent.epoch !== epoch()) sendAgain();
  lift(document.getElementById(lifted) && lifted);
  mark();
});

function twoTaps() {
  const taps = setting("taps");
  return taps === "two" || (taps === "auto" && pointer !== "mouse");
}

function lift(id) {
  for (const button of document.querySelectorAll(`${MOVES}.lifted`)) {
    button.classList.remove("lifted");
    button.ariaPressed = null;
  }
  lifted = id;
  const button = id && document.getElementById(id);
  if (!button) return;
  button.classList.add("lifted");
  button.ariaPressed = "true";
}

function mark() {
  const button = sent && document.getElementById(sent.id);
  if (!button) return;
  button.ariaBusy = "true";
  button.classList.toggle("slow", sent.slow);
}

function unmark() {
  sent = null;
  for (const button of document.querySelectorAll("#mine [aria-busy]")) {
    button.ariaBusy = null;
    button.classList.remove("slow");
  }
}

/** The move went out on a socket that got lost, and the table has not moved: it may have got lost too. */
function sendAgain() {
  const button = document.getElementById(sent.id);
  sent = null;
  button?.form.requestSubmit(button);
}
