// The list of tallies on this device, and the form that begins one.

import { make } from "../site/elements.js";
import { hasUnsent, keep } from "./shelf.js";
import { send } from "./outbox.js";
import { range } from "./scorer.js";
import { capital, say, sayIn } from "./words.js";

const LONGEST_NAME = 24;
const LOOK_AGAIN = 5_000; // milliseconds

/** A random UUID, on plain http too. */
export const uuid = () =>
  crypto.randomUUID?.() ??
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );

/** Show the tallies. isStandIn: whether the page stands in for another that has no network. */
export function showList(view, tallies, { games, isStandIn }) {
  const sentence = say("The table is on the server. It will be back by itself.");
  view.replaceChildren(make("h1", {}, isStandIn ? say("No network") : say("Keep score")));
  if (isStandIn) view.append(make("p", { className: "lead" }, sentence));
  const start = make("a", { className: "button primary big", href: "/tallies/offline/#new" }, say("Keep a new score"));
  view.append(make("p", { className: "row" }, start));
  if (!tallies.length) return;
  const list = make("ul", { className: "plain stack", role: "list" });
  for (const tally of tallies) {
    const game = games.find(({ slug }) => slug === tally.game);
    const href = `/tallies/offline/#${tally.id}`;
    const link = make("a", { href }, `${game?.name ?? tally.game}: ${tally.names.join(", ")}`);
    const badge = hasUnsent(tally) ? [" ", make("span", { className: "badge brass" }, say("not sent yet"))] : [];
    list.append(make("li", {}, link, ...badge));
  }
  view.append(make("h2", {}, say("On this device")), list);
}

/** Go to the page of this address once the site answers. */
export async function lookUp() {
  try {
    const response = await fetch("/tallies/device/", { cache: "no-store" });
    if (response.ok && !document.querySelector("main form")) location.replace(location.href);
  } catch {
    addEventListener("online", lookUp, { once: true });
    setTimeout(lookUp, LOOK_AGAIN);
  }
}

// A new tally

/** Show the form that begins a tally. */
export function showNew(view, games) {
  const form = make("form", { className: "form panel stack" });
  const fields = make("div", { className: "stack" });
  const game = select("game", say("Game"), games.map(({ slug, name }) => [slug, name]));
  const buttons = make("div", { className: "buttons" }, make("button", { className: "button primary big" }, say("Start")));
  const alert = make("div", { role: "alert" });
  form.append(alert, game, fields, buttons);
  const present = () => games.find(({ slug }) => slug === form.elements.game.value);
  const draw = (seats) => drawFields(fields, present(), seats, namesIn(form));
  form.addEventListener("change", ({ target }) => {
    if (target.name === "game") draw(present().seats);
    if (target.name === "seats") draw(Number(target.value));
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const tally = tallyIn(form, present());
      await keep(tally);
      location.hash = `#${tally.id}`;
      send();
    } catch (error) {
      alert.replaceChildren(make("p", { className: "notice bad" }, error instanceof DOMException ? noRoom() : error.message));
    }
  });
  draw(games[0].seats);
  view.replaceChildren(make("h1", {}, say("Keep score")), form);
}

export const noRoom = () =>
  say("This device has no room left. Nothing was stored: make room, or note it on paper.");

function select(name, label, choices, value) {
  const id = `new-${name}`;
  const control = make("select", { id, name }, ...choices.map(([each, words]) => make("option", { value: each }, words)));
  if (value !== undefined) control.value = String(value);
  return make("div", {}, make("label", { htmlFor: id }, label), control);
}

const namesIn = (form) => [...form.querySelectorAll("[name^=name]")].map(({ value }) => value);

function drawFields(box, game, seats, names) {
  const counts = Object.keys(game.options).map((count) => [count, count]);
  const options = game.options[seats].filter(({ choices }) => choices.length > 1);
  const menus = (isLength) =>
    options
      .filter(({ length }) => length === isLength)
      .map(({ name, label, choices, usual }) => select(`option_${name}`, label, choices, usual));
  const custom = make("details", { className: "options" }, make("summary", {}, say("Customise the rules")), ...menus(false));
  box.replaceChildren(select("seats", say("Players"), counts, seats), seating(seats, names), ...menus(true), custom);
}

function seating(seats, names) {
  const box = make("fieldset", { className: "seating" }, make("legend", {}, say("Players, in the order of play")));
  for (const seat of range(seats)) {
    const id = `name${seat}`;
    const input = { id, name: id, value: names[seat] ?? "", maxLength: LONGEST_NAME, required: true, className: "input" };
    const dealer = make("input", { type: "radio", name: "dealer", value: seat, checked: seat === seats - 1 });
    const label = make("label", { htmlFor: id }, say("Player {number}", { number: seat + 1 }));
    const deals = make("label", { className: "deals" }, dealer, sayIn("the first dealer", "deals"));
    box.append(make("div", { className: "seat-name" }, label, make("input", { ...input, autocomplete: "off" }), deals));
  }
  return box;
}

/** The tally of a form. Throws an error with a sentence. */
function tallyIn(form, game) {
  const seats = Number(form.elements.seats.value);
  const names = namesIn(form).map((name) => name.trim().replaceAll(/\s+/g, " "));
  if (names.some((name) => !name)) throw new Error(say("Type a name for each player."));
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw new Error(say("Two players have the same name. Add a letter to one of them."));
  }
  const dealer = Number(form.elements.dealer.value);
  const options = game.options[seats].map(({ name, choices, usual }) => {
    const given = form.elements[`option_${name}`]?.value;
    const found = choices.find(([value]) => String(value) === given);
    return [name, found ? found[0] : usual];
  });
  const id = uuid();
  return {
    id,
    code: "",
    key: id.replaceAll("-", ""),
    owner: null,
    place: Date.now(),
    game: game.slug,
    version: game.version,
    seats,
    options: Object.fromEntries(options),
    names: [...names.slice(dealer + 1), ...names.slice(0, dealer + 1)], // The first dealer has the last seat.
    entries: [],
    writers: [""],
    totals: null,
    problem: null,
  };
}

export const dealWord = (games, slug) => capital(games.find((game) => game.slug === slug)?.deal ?? "");
