// Cards that move: one that is played flies from its hand or its seat to its place on the table, a finished trick to
// the seat that won it. Transforms only, over a table that is already drawn: nothing waits for them. But where several
// cards come one by one, #table is "arriving" until the last of them has landed, and so is the slot of each: style
// sheets hide meanwhile what would tell how it ends, as they do with all that is marked with data-outcome.

// Milliseconds
const OWN = 220;
const OTHER = 260;
const COLLECT = 320;
const ONE_BY_ONE = 450; // between cards that come with one table, where they say their order
const FADE = 80; // instead of a flight, for those who want no motion

const SMALL = 0.4; // the scale of a card that is at its seat
const LYING = "#felt .slot.filled [data-card]";

const still = matchMedia("(prefers-reduced-motion: reduce)");

let hand = new Map(); // card -> where it was in the own hand
let lying = new Map(); // card -> {place, copy}: what lay on the table
let winner = null; // the plaque of the seat that has won it
let withheld = 0; // the timer of what is withheld

const byCard = (selector, what) =>
  new Map([...document.querySelectorAll(selector)].map((face) => [face.dataset.card, what(face)]));
const placeOf = (element) => element.getBoundingClientRect();

document.addEventListener("table:leave", () => {
  hand = byCard("#hand [data-card]", placeOf);
  lying = byCard(LYING, (face) => ({ place: placeOf(face), copy: face.cloneNode() }));
  winner = document.querySelector("#felt .seat:has(.slot.winner) .plaque")?.id;
});

document.addEventListener("table:drawn", ({ detail }) => {
  const { frame, moves } = detail;
  if (document.hidden || frame.moves <= moves) return;
  const faces = [...document.querySelectorAll(LYING)];
  const orderOf = (face) => Number(face.closest("[data-order]")?.dataset.order ?? 0);
  const arriving = faces.filter((face) => !lying.has(face.dataset.card)).sort((one, other) => orderOf(one) - orderOf(other));
  const first = arriving.length ? orderOf(arriving[0]) : 0;
  for (const face of arriving) {
    const delay = (orderOf(face) - first) * ONE_BY_ONE;
    if (still.matches) face.animate({ opacity: [0, 1] }, { duration: FADE, delay, fill: "backwards" });
    else arrive(face, delay);
    detail.lasts = delay;
  }
  if (detail.lasts && !still.matches) withholdOutcome(arriving, detail.lasts + OTHER);
  const plaque = winner && document.getElementById(winner);
  const gone = faces.every((face) => !lying.has(face.dataset.card));
  if (plaque && gone && !still.matches) for (const card of lying.values()) collect(card, placeOf(plaque));
});

function arrive(face, delay) {
  if (!face.offsetWidth) return; // not shown: a result may leave no room for the trick
  const own = hand.get(face.dataset.card);
  const from = own ?? placeOf(face.closest(".seat").querySelector(".plaque"));
  face.animate(
    { translate: [way(placeOf(face), from), "0 0"], scale: [own ? own.width / face.offsetWidth : SMALL, 1] },
    { duration: own ? OWN : OTHER, easing: "ease-out", delay, fill: "backwards" },
  );
  if (delay && !own) face.animate({ opacity: [0, 0] }, delay); // nothing is seen of it before
}

function withholdOutcome(faces, duration) {
  const places = [document.getElementById("table"), ...faces.map((face) => face.closest(".slot"))];
  for (const place of places) place.classList.add("arriving");
  clearTimeout(withheld);
  withheld = setTimeout(() => {
    for (const place of document.querySelectorAll(".arriving")) place.classList.remove("arriving");
  }, duration);
}

function collect({ place, copy }, target) {
  copy.classList.add("flying");
  copy.ariaHidden = "true";
  copy.style.left = `${place.x}px`;
  copy.style.top = `${place.y}px`;
  copy.style.setProperty("--w", `${place.width}px`);
  document.body.append(copy);
  const flight = copy.animate(
    { translate: ["0 0", way(place, target)], scale: [1, SMALL], opacity: [1, 0.3] },
    { duration: COLLECT, easing: "ease-in" },
  );
  flight.onfinish = flight.oncancel = () => copy.remove();
}

/** The way from the middle of one rectangle to that of another, as a translation. */
function way(from, to) {
  return `${to.x + to.width / 2 - from.x - from.width / 2}px ${to.y + to.height / 2 - from.y - from.height / 2}px`;
}
