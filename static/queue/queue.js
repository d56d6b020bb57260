// A page of somebody who waits for players: it asks how that goes, which also says that they are still here.
//
// The page of the queue goes to the table by itself. The others show a call with a button.

import { play } from "../match/sound.js";
import { notify } from "../notifications/browser.js";
import { setting } from "../site/settings.js";

const ANSWER_WITHIN = 8000; // milliseconds
const HEARD_AFTER = 500; // milliseconds until the sound of a call has been heard: it ends with the page

const place = document.getElementById("queue");
const inside = place.querySelector("[data-inside]");
const lost = place.querySelector("[data-lost]");
const { look, away, every, ticks, follow } = place.dataset;
let asking = false;
let ended = false;

async function ask() {
  if (asking || ended) return;
  asking = true;
  try {
    const response = await fetch(look, { signal: AbortSignal.timeout(ANSWER_WITHIN) });
    if (!response.ok || response.redirected) throw new Error(response.status);
    show(await response.text());
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
  asking = false;
}

function show(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  const fresh = template.content.firstElementChild;
  if (!fresh?.dataset.state) throw new Error("not ours");
  if (fresh.dataset.state === stateOf()) {
    showWords(fresh);
  } else {
    inside.replaceChildren(fresh);
    act();
  }
}

/** Change the words alone, and none that are the same: a button keeps its focus, and nothing is read out twice. */
function showWords(fresh) {
  const [shown, wanted] = [inside, fresh].map((root) => [...root.querySelectorAll("[data-words]")]);
  shown.forEach((words, index) => {
    const html = wanted[index]?.innerHTML ?? "";
    if (words.innerHTML !== html) words.innerHTML = html;
  });
}

const stateOf = () => inside.firstElementChild.dataset.state;

function act() {
  ended = stateOf() === "none";
  place.classList.toggle("is-called", stateOf() === "called");
  if (stateOf() !== "called") return;
  const { table, title } = inside.firstElementChild.dataset;
  keepTitle(title);
  play("turn");
  if (setting("notify") === "on") notify(title);
  if (follow !== undefined && table) setTimeout(() => location.assign(table), HEARD_AFTER);
}

/** Show the call in the title, which a table writes anew at each turn. */
function keepTitle(title) {
  const keep = () => document.title.endsWith(title) || (document.title = title);
  keep();
  new MutationObserver(keep).observe(document.querySelector("title"), { childList: true });
}

/** Say that this page is left: nobody is seated who has closed the last one. */
function sayGoodbye() {
  if (!ended) navigator.sendBeacon(away, new FormData(document.getElementById("queue-leave")));
}

document.getElementById("queue-leave").elements.next.value = location.pathname;
const worker = new Worker(`${ticks}?every=${every}`);
worker.addEventListener("message", ask);
window.addEventListener("pagehide", sayGoodbye);
window.addEventListener("pageshow", ({ persisted }) => persisted && ask());
document.addEventListener("visibilitychange", () => document.hidden || ask());
act();
