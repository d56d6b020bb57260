// The keyboard's place in the hand, and the focus: both outlive the coming of a new table.

import { whenDrawn } from "./table.js";

const STEPS = {
  ArrowLeft: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  Home: () => 0,
  End: (place, last) => last,
};

let order = []; // the ids of the hand as it was drawn last
let current = null; // the id of the card that Tab comes to
let focused = null; // the id of what has the focus, while a new table is drawn

const cards = () => [...document.querySelectorAll("#hand button")];

/** Put the focus on the hand. Returns whether there is one. */
export function focusHand() {
  document.getElementById(current)?.focus();
  return Boolean(current);
}

document.addEventListener("table:leave", () => {
  focused = document.getElementById("table").contains(document.activeElement) ? document.activeElement.id : null;
});

whenDrawn(() => {
  const ids = cards().map(({ id }) => id);
  const place = order.indexOf(current);
  const [before, after] = [order.slice(0, place + 1), order.slice(place)];
  const nearest = (list) => list.find((id) => ids.includes(id));
  current = nearest(after) ?? nearest(before.reverse()) ?? ids[0] ?? null;
  setTabStops();
  if (focused && document.activeElement?.id !== focused) {
    const next = document.getElementById(focused) ?? (order.includes(focused) && document.getElementById(current));
    (next || document.getElementById("sentence"))?.focus({ preventScroll: true });
  }
  focused = null;
  order = ids;
});

document.addEventListener("focusin", ({ target }) => {
  if (!target.closest("#hand button")) return;
  current = target.id;
  setTabStops();
});

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || !event.target.closest("#hand button") || event.ctrlKey || event.altKey || event.metaKey) return;
  const hand = cards();
  const last = hand.length - 1;
  const place = step(hand.indexOf(event.target), last);
  hand[Math.max(0, Math.min(place, last))].focus();
  event.preventDefault();
});

function setTabStops() {
  for (const card of cards()) card.tabIndex = card.id === current ? 0 : -1;
}
