// The replay watched together: one steers, the others follow, and may wander and come back.

import { match, page } from "./page.js";
import { pause } from "./playing.js";
import { make } from "../site/elements.js";
import { sentence } from "../site/sentences.js";
import { Socket } from "../site/socket.js";
import { show, shown, whenShown } from "./show.js";

const SEND_EVERY = 250; // milliseconds: a slider passes more positions than anybody sees

const bar = document.getElementById("together");
const socket = bar && new Socket(() => `/ws/together/${bar.dataset.room}/`);
const part = (id) => document.getElementById(id);

let room = null; // as the server told it last
let follows = true;
let timer = 0; // of what is still to be sent
let late = false; // whether something is

const steers = () => room !== null && room.steerer.id === room.you;
const same = (one, other) => ["move", "seat", "beside", "open"].every((name) => one[name] === other[name]);

function hear(told) {
  const before = room;
  room = told;
  if (before === null || (follows && !steers())) goTo(room.position);
  if (steers()) follows = true;
  draw();
}

function goTo(position) {
  if (!same(position, shown())) show(position, { record: "step", by: "room" });
}

function follow() {
  pause();
  follows = true;
  goTo(room.position);
  draw();
}

whenShown((position, by) => {
  if (by === "room" || room === null) return;
  if (steers()) {
    late = true;
    timer ||= setTimeout(send, SEND_EVERY);
  } else if (!same(position, room.position)) {
    follows = false;
    draw();
  }
});

function send() {
  timer = 0;
  if (!late) return;
  late = false;
  const { move, seat, beside, open } = shown();
  socket.send({ steer: { move: Math.min(move, match.last), seat, beside, open } });
}

// The bar

function tell(words) {
  if (part("together-says").textContent !== words) part("together-says").textContent = words;
}

function draw() {
  const { steerer, people, you } = room;
  const away = !people.some(({ id }) => id === steerer.id);
  const others = people.filter(({ id }) => id !== you);
  const names = { name: steerer.name };
  if (steers()) tell(sentence("you_steer"));
  else if (away) tell(sentence("steerer_away", names));
  else tell(sentence(follows ? "following" : "wandering", names));
  part("follow").hidden = follows || steers();
  part("follow").textContent = sentence("back_to", names);
  part("take-over").hidden = !away || steers();
  part("hand-over").hidden = !steers() || others.length === 0;
  fill(part("hand-over").querySelector("select"), [{ id: "", name: "…" }, ...others]);
  part("people-count").textContent = sentence("people_here", { count: people.length });
  part("people").replaceChildren(...people.map(line));
}

function fill(select, people) {
  if (select.options.length === people.length && people.every(({ id }, at) => select.options[at].value === id)) return;
  select.replaceChildren(...people.map(({ id, name }) => new Option(name, id)));
}

function line({ id, name }) {
  const sign = id === room.steerer.id ? "steers_in_list" : "watches_in_list";
  return make("li", {}, sentence(sign, { name: id === room.you ? sentence("you_in_list", { name }) : name }));
}

if (bar) {
  document.addEventListener("socket:message", ({ detail: message }) => {
    if (message.refused) tell(message.refused);
    else if (message.position) hear(message);
  });
  document.addEventListener("socket:close", ({ detail: reason }) => reason || tell(sentence("room_lost")));
  part("follow").addEventListener("click", follow);
  part("take-over").addEventListener("click", () => socket.send({ take_over: true }));
  part("hand-over").addEventListener("change", ({ target }) => target.value && socket.send({ hand_over: target.value }));
  part("room-link").addEventListener("focus", ({ target }) => target.select());
  page.addEventListener("replay:back", follow);
  // On a phone the table has the height that this leaves.
  new ResizeObserver(() => page.style.setProperty("--room-bar", `${bar.offsetHeight}px`)).observe(bar);
}
