/* Steps through a replay at once. The frames of a whole deal come in one answer and are shown from memory; the deals
   next to it are fetched ahead. Every link of the page into the replay is followed here, so the links are the controls. */

const FRAMES_KEPT = 16; // deals in memory
const ADDRESS_PAUSE = 300; // ms between two changes of the address: browsers refuse more than some hundred in half a minute
const WHEEL_PAUSE = 60; // ms: a touchpad sends many more
const SPEECH_PAUSE = 200; // ms: of moves that follow each other quicker, the last is said

const page = document.getElementById("replay");
const [table, sheet, moves, form, slider] = ["table", "sheet", "moves", "controls", "move"].map((id) => document.getElementById(id));
const playButton = document.getElementById("play");
const wide = matchMedia("(min-width: 60rem)");
const data = JSON.parse(document.getElementById("replay-data").textContent);
const starts = data.deals.map((deal) => deal.start);
const stops = data.deals.flatMap((deal) => [deal.start, ...deal.tricks.map(([, , last]) => last)]);

let at = { move: data.move, seat: data.seat, open: data.open }; // what is shown, or will be when its frames are here

// Where things are

const dealOf = (move) => data.deals.findLast((deal) => deal.first <= move);
const before = (list, move) => list.findLast((other) => other < move) ?? 0;
const after = (list, move) => list.find((other) => other > move) ?? data.last;
const clamp = (move) => Math.min(Math.max(move, 0), data.last);

const TARGETS = {
  "deal-back": () => before(starts, at.move),
  "deal-on": () => after(starts, at.move),
  first: () => 0,
  "trick-back": () => before(stops, at.move),
  back: () => clamp(at.move - 1),
  on: () => clamp(at.move + 1),
  "trick-on": () => after(stops, at.move),
  last: () => data.last,
};
const STEPS = ["back", "on", "trick-back", "trick-on"]; // the others are jumps, which Back undoes

function label(move) {
  const deal = dealOf(move);
  const trick = deal.tricks.find(([, first, last]) => first <= move && move <= last);
  return `deal ${deal.number}` + (trick ? `, trick ${trick[0]}` : "");
}

function address({ move, seat, open }) {
  return `?move=${move}` + (data.over ? `&seat=${seat}` + (open ? "&open=1" : "") : "");
}

function fromAddress(search) {
  const asked = new URLSearchParams(search);
  return {
    move: clamp(Number(asked.get("move"))),
    seat: asked.has("seat") ? Number(asked.get("seat")) : data.seat,
    open: asked.get("open") === "1",
  };
}

// Frames

const frames = new Map(); // address of a deal's frames -> promise of {tables, sheets, moves}

function framesOf(number, { seat, open }) {
  const asked = `?deal=${number}` + (data.over ? `&seat=${seat}&open=${open ? 1 : 0}` : "");
  let found = frames.get(asked);
  frames.delete(asked); // and put in again as the latest
  found ??= fetch(page.dataset.frames + asked).then(read);
  frames.set(asked, found);
  found.catch(() => frames.delete(asked));
  if (frames.size > FRAMES_KEPT) frames.delete(frames.keys().next().value);
  return found;
}

async function read(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const parts = new DOMParser().parseFromString(await response.text(), "text/html");
  const tables = new Map();
  for (const part of parts.querySelectorAll("template[data-move]")) {
    tables.set(Number(part.dataset.move), { html: part.innerHTML, label: part.dataset.label, words: part.dataset.words });
  }
  const [whole, ...changes] = parts.querySelectorAll("template[data-sheet]");
  const sheets = [[Number(whole.dataset.sheet), whole.innerHTML]];
  for (const change of changes) sheets.push([Number(change.dataset.sheet), patched(whole, change.content)]);
  return { tables, sheets, moves: parts.querySelector("template[data-moves]").innerHTML };
}

function patched(whole, change) {
  const copy = whole.cloneNode(true);
  const rows = () => [...copy.content.querySelectorAll("[data-deal]")];
  for (const row of change.querySelectorAll("[data-deal]")) {
    const old = rows().find(({ dataset }) => dataset.deal === row.dataset.deal);
    if (old) old.replaceWith(row);
    else addRow(copy.content, rows().at(-1), row);
  }
  copy.content.querySelector("tfoot").replaceWith(change.querySelector("tfoot"));
  return copy.innerHTML;
}

/** A deal that the sheet did not have yet, below the last one; a row without a deal only says that there was none. */
function addRow(sheet, last, row) {
  const none = sheet.querySelector("tbody > tr:only-child:not([data-deal])");
  if (last) last.after(row);
  else if (none) none.replaceWith(row);
  else sheet.querySelector("thead").after(row);
}

// Showing a position

/** Show a position. record: "step" (the address changes), "jump" (Back returns here) or "" (as it is);
    spoken: what is said of it, if not what happened at the move. */
async function show(next, { record = "step", spoken = null } = {}) {
  const last = at;
  at = next;
  if (record === "jump" && address(next) !== address(last)) pushAddress(last);
  else if (record) replaceAddress();
  mark(label(next.move));
  const deal = dealOf(next.move);
  table.ariaBusy = "true";
  let found;
  try {
    found = await framesOf(deal.number, next);
  } catch {
    location.assign(address(next)); // the page says what is wrong
    return;
  }
  if (at !== next) return; // somebody was quicker
  table.ariaBusy = null;
  draw(found, next);
  const { label: where, words } = found.tables.get(next.move);
  mark(where, words);
  document.title = `${page.dataset.game}, ${where}: ${words} · Valat`;
  const jumped = where !== label(last.move) ? `${where[0].toUpperCase()}${where.slice(1)}. ` : "";
  say(spoken ?? jumped + document.getElementById("felt").dataset.say);
  for (const near of [deal.number + 1, deal.number - 1]) if (data.deals[near - 1]) framesOf(near, next);
}

const drawn = new Map(); // element -> the text it was drawn from

function draw({ tables, sheets, moves: list }, { move, seat }) {
  table.className = table.className.replace(/viewer-\d/, `viewer-${seat ?? 0}`);
  morph(table, tables.get(move).html);
  morph(sheet, sheets.findLast(([from]) => from <= move)[1]);
  morph(moves, list);
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  moves.querySelector(`[data-move="${move}"]`)?.setAttribute("aria-current", "step");
  keepInSight();
}

function morph(target, text) {
  // Keeps the elements that stay, and with them the focus and the place scrolled to.
  if (drawn.get(target) === text) return;
  drawn.set(target, text);
  window.htmx.swap({ sourceElement: target, target, text, swap: "innerMorph" });
}

function keepInSight() {
  if (!wide.matches) return; // there the page scrolls, and stays where its reader is
  const boxes = [
    [sheet.querySelector(".scroll"), [...sheet.querySelectorAll(".current, .scored")].at(-1)],
    [moves, moves.querySelector("[aria-current]")],
  ];
  for (const [box, line] of boxes) {
    if (!line) continue;
    const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
    const margin = 2.5 * inner.height;
    if (inner.top < outer.top + margin) box.scrollTop -= outer.top + margin - inner.top;
    else if (inner.bottom > outer.bottom - margin) box.scrollTop += inner.bottom - outer.bottom + margin;
  }
}

function mark(where, words) {
  if (dragFrom === null) slider.value = at.move;
  slider.setAttribute("aria-valuetext", words ? `${where}, ${words}` : where);
  form.querySelector(".deal.now")?.classList.remove("now");
  form.querySelectorAll(".deal")[dealOf(at.move).number - 1].classList.add("now");
  for (const control of form.querySelectorAll("[data-step]")) {
    const move = TARGETS[control.dataset.step]();
    if (move === at.move) control.removeAttribute("href");
    else control.href = address({ ...at, move });
    control.ariaDisabled = move === at.move ? "true" : null;
    control.role = move === at.move ? "link" : null;
  }
  if (data.over) {
    form.elements.seat.value = at.seat;
    form.elements.open.checked = at.open;
  }
}

// The address, and what is said

let addressTimer = 0;
let addressIsOld = false;

function replaceAddress() {
  addressIsOld = true;
  if (addressTimer) return;
  writeAddress();
  addressTimer = setTimeout(() => {
    addressTimer = 0;
    if (addressIsOld) replaceAddress();
  }, ADDRESS_PAUSE);
}

function writeAddress(position = at) {
  addressIsOld = false;
  history.replaceState(null, "", address(position));
}

function pushAddress(last) {
  writeAddress(last);
  history.pushState(null, "", address(at));
}

let speechTimer = 0;

function say(text) {
  clearTimeout(speechTimer);
  if (!text) return;
  const region = document.getElementById("say");
  // The same words twice would not be read: a no-break space makes them others.
  speechTimer = setTimeout(() => (region.textContent = region.textContent === text ? `${text}\u00a0` : text), SPEECH_PAUSE);
}

// Playing by itself

let playTimer = 0;

function play(on) {
  clearTimeout(playTimer);
  playButton.setAttribute("aria-pressed", on);
  if (!on) return;
  playTimer = setTimeout(async () => {
    await show({ ...at, move: clamp(at.move + 1) });
    if (isPlaying()) play(at.move < data.last);
  }, 1000 / Number(document.getElementById("speed").value));
}

const isPlaying = () => playButton.getAttribute("aria-pressed") === "true";

function togglePlay() {
  if (!isPlaying() && at.move === data.last) show({ ...at, move: 0 }, { record: "jump" });
  play(!isPlaying());
}

// What people do

function step(name) {
  play(false);
  const move = TARGETS[name]();
  if (move !== at.move) show({ ...at, move }, { record: STEPS.includes(name) ? "step" : "jump" });
}

function seeFrom(seat, spoken = `Seen by ${form.elements.seat.options[seat].text}.`) {
  show({ ...at, seat }, { spoken });
}

function openCards(open) {
  show({ ...at, open }, { spoken: open ? "Open cards." : "As this seat knew it." });
}

function toSheet() {
  if (wide.matches) page.classList.toggle("without-side");
  else if (sheet.getBoundingClientRect().top > 0.5 * innerHeight) sheet.scrollIntoView();
  else scrollTo(0, 0);
}

async function copyLink() {
  const link = new URL(address(at), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say("The link to this move is copied.");
    const button = document.getElementById("copy");
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 2000);
  } catch {
    prompt("The link to this move:", link); // no clipboard without https
  }
}

function leave() {
  if (isPlaying()) play(false);
  else location.assign(page.dataset.match);
}

const help = document.getElementById("keys");
const ACTS = {
  ArrowLeft: () => step("back"),
  ArrowRight: () => step("on"),
  "[": () => step("trick-back"),
  "]": () => step("trick-on"),
  ArrowUp: () => step("deal-back"),
  ArrowDown: () => step("deal-on"),
  Home: () => step("first"),
  End: () => step("last"),
  " ": togglePlay,
  s: toSheet,
  c: copyLink,
  "?": () => help.showModal(),
  Escape: leave,
};
const SHIFTED = { ArrowLeft: ACTS["["], ArrowRight: ACTS["]"] };
if (data.over) {
  const seats = form.elements.seat.options;
  ACTS.f = () => seeFrom((at.seat + 1) % seats.length);
  ACTS.o = () => openCards(!at.open);
  for (let seat = 0; seat < seats.length; seat++) ACTS[seat + 1] = () => seeFrom(seat);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || help.open) return;
  if (event.key === "Escape" && document.querySelector(":popover-open")) return; // which closes that
  const act = (event.shiftKey && SHIFTED[event.key]) || ACTS[event.key];
  if (!act || isTheirs(event)) return;
  event.preventDefault();
  act();
});

function isTheirs({ key, target }) {
  // Keys that the element with the focus has a use for.
  if (target.matches("select, textarea, input:not([type=range], [type=checkbox])")) return true;
  if (target === slider) return key.length > 1 && key !== "Escape";
  return key === " " && target.matches("button, input");
}

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.hash) toSheet();
  else if (link.dataset.step) step(link.dataset.step);
  else {
    play(false);
    show(fromAddress(link.search), { record: "jump" });
  }
});

addEventListener("popstate", () => {
  play(false);
  show(fromAddress(location.search), { record: "" });
});

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", ({ target }) => {
  if (target.name === "seat") seeFrom(Number(target.value), "");
  if (target.name === "open") openCards(target.checked);
});

// The slider shows what it passes; where it is let go is a jump. By keys it is stepping like any other.
let dragFrom = null;
slider.addEventListener("pointerdown", () => (dragFrom = at));
slider.addEventListener("input", () => {
  play(false);
  const next = { ...at, move: Number(slider.value) };
  if (dragFrom === null) show(next);
  else drag(next);
});
slider.addEventListener("change", () => {
  if (dragFrom === null) return;
  const from = dragFrom;
  dragFrom = null;
  clearTimeout(dragTimer);
  const move = Number(slider.value);
  at = from;
  if (move !== from.move) show({ ...at, move }, { record: "jump" });
});

let dragTimer = 0;

function drag(next) {
  clearTimeout(dragTimer);
  slider.setAttribute("aria-valuetext", label(next.move));
  if (dealOf(next.move) === dealOf(at.move)) show(next, { record: "" });
  else dragTimer = setTimeout(() => show(next, { record: "" }), 80);
}

let wheeled = 0;
form.querySelector(".bar").addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    if (event.timeStamp - wheeled < WHEEL_PAUSE) return;
    wheeled = event.timeStamp;
    step(event.deltaY > 0 ? "on" : "back");
  },
  { passive: false },
);

let touch = null;
table.addEventListener("touchstart", ({ touches: [first] }) => (touch = first), { passive: true });
table.addEventListener("touchend", ({ changedTouches: [end] }) => {
  const [across, down] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
  if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? "on" : "back");
});

playButton.addEventListener("click", togglePlay);
document.getElementById("copy").addEventListener("click", copyLink);
document.getElementById("help").addEventListener("click", () => help.showModal());

// Begin

window.htmx.config.history = false; // the address is ours: htmx would fetch the page anew on Back
for (const part of page.querySelectorAll("[data-scripted]")) part.hidden = false;
for (const part of page.querySelectorAll("[data-unscripted]")) part.hidden = true;
play(false);
writeAddress();
keepInSight();
const here = dealOf(at.move).number;
for (const number of [here, here + 1, here - 1]) if (data.deals[number - 1]) framesOf(number, at);
