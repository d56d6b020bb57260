// Playing a card or a bid: one tap with a mouse, two by touch; once only; marked until the server has answered. By
// preference also chosen before the turn, taken back within a second, and played by itself where it is the only one.

import { epoch } from "./connection.js";
import { Intent, forcedAfter } from "./intent.js";
import { sentence } from "../site/sentences.js";
import { setting } from "../site/settings.js";
import { endHold, mine, shown, whenDrawn } from "./table.js";
import { hideRefusal, refuse, say } from "./voice.js";
import { nameOf, showIntent } from "./wording.js";

// Milliseconds
const SLOW = 400; // an answer that takes longer is waited for with a spinner
const SEEN = 350; // a move that was chosen before waits so long for its player to see the table

const MOVES = 'button[form="play"]';

const intent = new Intent();
let pointer = "mouse"; // the kind that came down last
let sent = null; // {id, seen, epoch, slow}: the move that has no answer yet
let sure = false; // whether what is submitted now may not be taken back any more
let timer = 0; // of what will be submitted by itself

const buttons = () => [...document.querySelectorAll(`#mine ${MOVES}[id]`)];
const isTurn = () => mine()?.dataset.turn === "1";
const isOpen = (button) => button.ariaDisabled !== "true";
const inHand = (button) => Boolean(button.closest("#hand"));
const idsOf = (list) => list.map(({ id }) => id);
const expected = () => document.getElementById("sentence").textContent.trim();
const phase = () => document.getElementById("felt")?.dataset.phase;

document.addEventListener("pointerdown", ({ pointerType }) => (pointer = pointerType), true);

document.addEventListener(
  "click",
  (event) => {
    if (event.target.closest("#undo")) {
      takeBack();
      return;
    }
    const button = event.target.closest(MOVES);
    if (!button) {
      if (event.target.closest("#table")) lift(null);
      return;
    }
    const next = intent.tap(button.id, {
      now: event.timeStamp,
      byKey: event.detail === 0,
      twoTaps: twoTaps(),
      refusable: !isOpen(button) || (inHand(button) && phase() === "bid"), // the server says why
      early: !isTurn() && setting("preselect") === "on" && mayBeChosen(button),
      busy: Boolean(sent),
    });
    if (next !== "play") event.preventDefault();
    if (next === "lift") sayLifted(button);
    if (next === "choose") say(sentence("chosen", { call: nameOf(button) }));
    if (next === "drop") say(sentence("no_longer_chosen", { call: nameOf(button) }));
    show();
  },
  true,
);

document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Escape") takeBack();
  if (!target.closest(MOVES)) return;
  if (key === "ArrowUp") lift(target.id);
  if (key === "ArrowDown") lift(null);
});

document.addEventListener(
  "submit",
  (event) => {
    const { target, submitter } = event;
    if (!("live" in target.dataset) || !submitter) return;
    if (target.id === "play" && !sure && hold(submitter)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
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
    setTimeout(endHold); // not before connection.js has read what this table had seen
  },
  true, // before connection.js, which sends at once
);

document.addEventListener("table:sent", ({ detail: form }) => {
  if (sent && form.id === "play") sent.epoch = epoch();
});

document.addEventListener("table:refused", ({ detail }) => {
  unmark();
  lift(null);
  refuse(detail);
});

whenDrawn(({ frame }) => {
  if (sent && frame.moves > sent.seen) unmark();
  else if (sent && sent.epoch !== null && sent.epoch !== epoch()) sendAgain();
  const all = buttons();
  const open = isTurn() && !sent ? all.filter(isOpen) : [];
  const { play, drop } = intent.drawn(idsOf(all), idsOf(open));
  if (play) submitIn(SEEN, play);
  else if (drop) refuse(sentence("not_now", { call: nameOf(document.getElementById(drop)), sentence: expected() }));
  else if (!intent.held && isForced(open)) submitIn(forcedAfter(Math.random()), open[0].id);
  show();
  mark();
});

function twoTaps() {
  const taps = setting("taps");
  return taps === "two" || (taps === "auto" && pointer !== "mouse");
}

/** A card while cards are played, or a pass. */
function mayBeChosen(button) {
  return button.id === "call-pass" || (inHand(button) && phase() === "play");
}

/** Whether these are the last card of a hand, and nothing else could be done. */
function isForced(open) {
  if (setting("forced") !== "on" || phase() !== "play" || open.length !== 1 || !inHand(open[0])) return false;
  return document.querySelectorAll("#hand button").length === 1;
}

function submitIn(delay, id) {
  const { moves } = shown();
  clearTimeout(timer);
  timer = setTimeout(() => {
    const button = document.getElementById(id);
    if (!button || !isTurn() || sent || shown().moves !== moves) return;
    submit(button);
  }, delay);
}

/** Send a move that may not be taken back any more. */
function submit(button) {
  sure = true;
  button.form.requestSubmit(button);
  sure = false;
}

// A move that may be taken back for a moment

/** Hold it back if there is a grace. Returns whether it is held. */
function hold(button) {
  const grace = isOpen(button) ? intent.hold(button.id, setting("grace")) : 0;
  if (!grace) return false;
  say(sentence("held", { call: nameOf(button) }));
  show();
  clearTimeout(timer);
  timer = setTimeout(() => {
    const id = intent.release();
    if (id) submitIn(0, id);
  }, grace);
  return true;
}

function takeBack() {
  const id = intent.release();
  if (!id) return;
  clearTimeout(timer);
  say(sentence("taken_back"));
  lift(null);
}

// What is seen of it

function lift(id) {
  intent.lifted = id;
  show();
}

function show() {
  for (const button of buttons()) {
    const lifted = [intent.lifted, intent.held, intent.chosen].includes(button.id);
    button.classList.toggle("lifted", lifted);
    button.classList.toggle("chosen", button.id === intent.chosen);
    button.ariaPressed = lifted ? "true" : null;
  }
  showIntent(intent, isTurn());
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
  if (button) submit(button);
}

/** Say that another tap plays it, and what that would do where the card says so. */
function sayLifted(button) {
  const outcome = button.querySelector(".note")?.textContent.trim();
  say(sentence(outcome ? "lifted_and_would" : "lifted", { call: nameOf(button), outcome }));
}
