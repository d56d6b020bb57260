// Letters that ask the table something, lead to a part of it or go on to the next deal. None of them plays.

import { dialog } from "../site/dialog.js";
import { make } from "../site/elements.js";
import { keyName, showOwnKeys } from "../site/keyboard.js";
import { Digits } from "./digits.js";
import { focusHand } from "./hand.js";
import { listed, sentence } from "../site/sentences.js";
import { setting } from "../site/settings.js";
import { openLast, openSheet } from "./sheet.js";
import { match, mine } from "./table.js";
import { answer } from "./voice.js";

const ACTS = {
  l: lastTrick,
  t: () => answer(trickNow() || sentence("no_card_on_table")),
  h: () => answer(hand() || sentence("no_cards")),
  s: openSheet,
  r: openLast,
  k: () => answer(text("#contract")),
  c: () => answer(text("#felt .clock.running") || sentence("no_clock")),
  w: () => answer(text("#sentence")),
  b: () => focusFirst("#mine button.call, #mine .call input") || answer(sentence("nothing_to_bid")),
  p: () => focusHand() || answer(sentence("no_cards")),
  m: () => press("bar-talk", "no_talk"),
  n: () => press("ready-button", "no_result"),
  e: () => press("claim-button", "no_claim"),
  x: () => press("bar-next", "no_other_table"),
  "?": help,
};

const digits = new Digits();

document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (setting("keys") === "off") return;
  if (target.matches("input, select, textarea") || document.querySelector("dialog:modal")) return;
  if (target !== document.body && !match.contains(target)) return;
  const key = keyName(event);
  const act = ACTS[key] ?? (/^\d$/.test(key) && (() => focusNumber(digits.type(key, event.timeStamp))));
  if (!act) return;
  event.preventDefault();
  act();
});

function text(selector) {
  return document.querySelector(selector)?.innerText.replace(/\s+/g, " ").trim() ?? "";
}

function focusFirst(selector) {
  const found = document.querySelector(selector);
  found?.focus();
  return Boolean(found);
}

function focusNumber(numbers) {
  return numbers.some((number) => focusFirst(`#bid-box .call[id$="-${number}"]`));
}

/** What the player of a place is called: "You" for oneself. */
const called = (place) =>
  place.querySelector(place.closest(`.seat-${mine()?.dataset.viewer || "none"}`) ? ".yours" : ".theirs").textContent;
const cardName = (place) => place?.querySelector("[data-card]")?.ariaLabel;

const hand = () => [...document.querySelectorAll("#hand button")].map(cardName).join(", ");

/** The cards on the table: what lies there by itself, then those played, in their order, each with its player. */
function trickNow() {
  const lying = [...document.querySelectorAll("#felt [data-lies]")]
    .filter(cardName)
    .map((place) => sentence("lies", { who: place.dataset.lies, card: cardName(place) }));
  const seats = [...document.querySelectorAll("#felt .seat")];
  const lead = seats.findIndex((seat) => seat.querySelector(".slot.lead"));
  const latest = (seat) => cardName([...seat.querySelectorAll(".slot.filled")].at(-1));
  const played = [...seats.slice(lead), ...seats.slice(0, Math.max(0, lead))]
    .filter(latest)
    .map((seat) => sentence("lies", { who: called(seat), card: latest(seat) }));
  return [...lying, ...played].join(", ");
}

function lastTrick() {
  const panel = document.getElementById("tricks");
  const button = document.querySelector("[popovertarget=tricks]");
  if (panel && button?.checkVisibility()) panel.togglePopover(); // on a wide screen it is there all the time
  const cards = [...document.querySelectorAll("#tricks figure:has(figcaption)")].map((figure) =>
    sentence("lies", { who: called(figure), card: cardName(figure) }),
  );
  const trick = { cards: cards.join(", "), winner: text("#tricks .words") };
  answer(cards.length ? sentence("trick", trick) : sentence("no_trick"));
}

/** Press what has this id, or say that there is nothing to press. */
function press(id, otherwise) {
  const button = document.getElementById(id);
  if (button?.checkVisibility()) button.click();
  else answer(sentence(otherwise));
}

function help() {
  const lines = listed("keys").flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]);
  const inside = make("div", {}, make("h2", {}, sentence("keys_title")), make("dl", { className: "facts" }, ...lines));
  showOwnKeys(inside);
  dialog(inside, [{ text: sentence("close"), value: "" }]);
}
