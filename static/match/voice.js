// What the page says: politely what happens, at once what can't wait. The regions lie outside of every swap target.

const PAUSE = 1200; // milliseconds between two polite speeches: what happens meanwhile is joined
const REFUSAL_STAYS = 6000;

let unsaid = [];
let timer = null;
let spokenAt = -Infinity;
let hiding = null;

/** Say these sentences when it is polite to, joined with whatever else is waiting. */
export function say(...sentences) {
  unsaid.push(...sentences.filter(Boolean));
  if (unsaid.length && timer === null) timer = setTimeout(speak, Math.max(0, spokenAt + PAUSE - performance.now()));
}

/** Answer a question at once; what was still to be said comes after it. */
export function answer(sentence) {
  clearTimeout(timer);
  timer = null;
  spokenAt = performance.now();
  write(document.getElementById("say"), sentence);
  say();
}

function speak() {
  timer = null;
  spokenAt = performance.now();
  write(document.getElementById("say"), unsaid.join(" "));
  unsaid = [];
}

/** Say this at once, and to those who hear only. */
export function warn(sentence) {
  write(document.getElementById("alarm"), sentence);
}

/** Show and say why something was refused. */
export function refuse(sentence) {
  const place = document.getElementById("refusal");
  place.hidden = false;
  write(place, sentence);
  clearTimeout(hiding);
  hiding = setTimeout(hideRefusal, REFUSAL_STAYS);
}

export function hideRefusal() {
  const place = document.getElementById("refusal");
  if (place.matches(":hover")) hiding = setTimeout(hideRefusal, 1000);
  else place.hidden = true;
}

/** The same text twice would not be read again: a no-break space at its end makes it another. */
function write(place, text) {
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}
