// Letters that ask the table something, lead to a part of it or go on to the next deal. None of them plays.

import { dialog } from "../site/dialog.js";
import { Digits } from "./digits.js";
import { focusHand } from "./hand.js";
import { setting } from "../site/settings.js";
import { openLast, openSheet } from "./sheet.js";
import { match, mine } from "./table.js";
import { answer } from "./voice.js";

const KEYS = {
  l: ["Last trick", lastTrick],
  t: ["The trick now", () => answer(trickNow() || "No card lies on the table.")],
  h: ["My hand", () => answer(hand() || "You hold no cards.")],
  s: ["Score sheet", openSheet],
  r: ["The last result", openLast],
  k: ["What is played for", () => answer(text("#contract"))],
  c: ["Clock", () => answer(text("#felt .clock.running") || "No clock is running.")],
  w: ["Whose turn it is", () => answer(text("#sentence"))],
  b: ["To the bids", () => focusFirst("#mine button.call, #mine .call input") || answer("There is nothing to bid now.")],
  p: ["To my hand", () => focusHand() || answer("You hold no cards.")],
  n: ["Go on after a result", goOn],
  "?": ["All keys", help],
};
const OTHERS = [
  ["← →", "From card to card, also Home and End"],
  ["Enter", "Play the card, make the bid"],
  ["0 – 9", "To that bid, also 1 0 for 10"],
  ["Esc", "Close what is open"],
];

const digits = new Digits();

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || setting("keys") === "off") return;
  if (target.matches("input, select, textarea") || document.querySelector("dialog:modal")) return;
  if (target !== document.body && !match.contains(target)) return;
  const act = KEYS[key]?.[1] ?? (/^\d$/.test(key) && (() => focusNumber(digits.type(key, event.timeStamp))));
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
  return numbers.some((number) => focusFirst(`#mine [data-digit="${number}"]`));
}

/** What the player of a place is called: "You" for oneself. */
const called = (place) =>
  place.querySelector(place.closest(`.seat-${mine()?.dataset.viewer || "none"}`) ? ".yours" : ".theirs").textContent;
const cardName = (place) => place?.querySelector("[data-card]")?.ariaLabel;

function hand() {
  return [...document.querySelectorAll("#hand button")].map(cardName).join(", ");
}

/** The cards on the table: what lies there by itself, then those played, in their order, each with its player. */
function trickNow() {
  const lying = [...document.querySelectorAll("#felt [data-lies]")]
    .filter(cardName)
    .map((place) => `${place.dataset.lies}: ${cardName(place)}`);
  const seats = [...document.querySelectorAll("#felt .seat")];
  const lead = seats.findIndex((seat) => seat.querySelector(".slot.lead"));
  const latest = (seat) => cardName([...seat.querySelectorAll(".slot.filled")].at(-1));
  const played = [...seats.slice(lead), ...seats.slice(0, Math.max(0, lead))]
    .filter(latest)
    .map((seat) => `${called(seat)}: ${latest(seat)}`);
  return [...lying, ...played].join(", ");
}

function lastTrick() {
  const panel = document.getElementById("tricks");
  const button = document.querySelector("[popovertarget=tricks]");
  if (panel && button?.checkVisibility()) panel.togglePopover(); // on a wide screen it is there all the time
  const cards = [...document.querySelectorAll("#tricks figure:has(figcaption)")].map(
    (figure) => `${called(figure)}: ${cardName(figure)}`,
  );
  answer(cards.length ? `${cards.join(", ")}. ${text("#tricks .words")}` : "No trick is finished yet.");
}

function goOn() {
  const button = document.getElementById("ready-button");
  if (button) button.click();
  else answer("There is no result to go on from.");
}

function help() {
  const list = document.createElement("dl");
  list.className = "facts";
  const lines = [...Object.entries(KEYS).map(([key, [words]]) => [key, words]), ...OTHERS];
  for (const [key, words] of lines) {
    const term = document.createElement("dt");
    term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
    list.append(term, Object.assign(document.createElement("dd"), { textContent: words }));
  }
  const inside = document.createElement("div");
  inside.append(Object.assign(document.createElement("h2"), { textContent: "Keys at the table" }), list);
  dialog(inside, [{ text: "Close", value: "" }]);
}
