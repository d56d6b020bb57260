// The page that keeps score without a network. It stands in for every page of the site that has no network: for those of
// a tally it draws the copy on this device.

import { make } from "../site/elements.js";
import { read, write } from "../site/storage.js";
import { begin, send, state } from "./outbox.js";
import { lookUp, showList, showNew } from "./lists.js";
import { channel, hasUnsent, tallies, tallyOf } from "./shelf.js";
import { keepForm, showTally } from "./table.js";
import { learn, say, sayCount } from "./words.js";

const data = JSON.parse(document.getElementById("offline-data").textContent);
const HERE = "/tallies/offline/";
const ASKED = "valat.persist"; // in localStorage: whether somebody was asked to let this browser keep tallies
const OF_TALLY = /^\/tallies\/([\w-]+)\//;

learn(data.words);
applyTheme();

const main = document.querySelector("main");
const strip = make("div", { id: "sending", role: "status" });
const view = make("div", { className: "stack" });
main.replaceChildren(strip, view);

/** What this address asks for: a tally by its code or id, "new", or "". */
function wanted() {
  const name = location.hash.slice(1);
  const [, code] = location.pathname === HERE ? [] : (OF_TALLY.exec(location.pathname) ?? []);
  return name || (code === "new" ? "new" : (code ?? ""));
}

let drawn = ""; // what the page shows of the device, as JSON
let queue = Promise.resolve();

/** Draw one after the other: what a slow one has read before would else replace what a later one shows. */
const inTurn = (work) => (queue = queue.then(work, work));
const draw = () => inTurn(drawNow);
const refresh = () => inTurn(refreshNow);

async function drawNow() {
  const name = wanted();
  try {
    await drawStrip();
    const tally = await tallyOf(name);
    drawn = JSON.stringify(tally);
    if (tally) showTally(view, tally, { games: data.games, redraw: draw });
    else if (name !== "new") showList(view, await tallies(), { games: data.games, isStandIn: location.pathname !== HERE });
    else if (!document.getElementById("new-game")) showNew(view, data.games); // Otherwise somebody is filling it in.
  } catch (error) {
    view.replaceChildren(make("h1", {}, say("Keep score")), make("p", { className: "notice bad", role: "alert" }, why(error)));
  }
}

/** Draw what has changed on the device. A form that somebody fills in stays, even if the storage has been cleared. */
async function refreshNow() {
  const tally = await tallyOf(wanted());
  const isForm = Boolean(document.querySelector("#tally-entry:not([data-entered])"));
  if (isForm && (!tally || JSON.stringify(tally) === drawn)) return drawStrip();
  if (isForm) keepForm();
  return drawNow();
}

/** Browsers may forbid storage, or have none here. */
const why = (error) =>
  error instanceof DOMException
    ? say("This browser keeps nothing for this site, so nothing can be entered without a network.")
    : String(error);

// What is between the device and the site

async function drawStrip() {
  const unsent = (await tallies()).filter(hasUnsent);
  const waiting = unsent.flatMap((tally) => tally.unsent).length;
  const hadSession = unsent.some(({ owner }) => owner !== null);
  strip.replaceChildren(...words(waiting, hadSession), ...(await question(waiting)));
}

/** Ask once whether the browser may keep what is here for good: otherwise it may delete it when it runs out of room. */
async function question(waiting) {
  const isKept = !navigator.storage?.persist || (await navigator.storage.persisted());
  if (!waiting || isKept || read("localStorage", ASKED, false)) return [];
  const yes = make("button", { className: "button small", type: "button" }, say("Keep them safe"));
  yes.addEventListener("click", async () => {
    write("localStorage", ASKED, true);
    await navigator.storage.persist();
    await drawStrip();
  });
  const sentence = say("A browser may delete what waits here if it runs out of room. Let it keep your entries?");
  return [make("div", { className: "notice" }, make("div", { className: "stack" }, make("p", {}, sentence), yes))];
}

function words(waiting, hadSession) {
  const notice = (text, ...more) => [
    make("div", { className: "notice warn" }, make("div", { className: "stack" }, make("p", {}, text), ...more)),
  ];
  const link = (text, href) => make("a", { className: "button small", href }, text);
  const count = waiting
    ? sayCount(waiting, "{number} entry waits on this device.", "{number} entries wait on this device.")
    : say("A new tally waits on this device.");
  if (state === "out") {
    const guest = make("button", { className: "button small", type: "button" }, say("Send it as a guest"));
    guest.addEventListener("click", () => send(true));
    const row = make("div", { className: "row" }, link(say("Log in"), `/accounts/login/?next=${HERE}`), guest);
    const ended = `${count} ${say("Your session has ended. Log in, and they are sent.")}`;
    const never = say("You are not logged in. What you have entered waits on this device.");
    return notice(hadSession ? ended : never, row);
  }
  if (state === "other") return notice(`${count} ${say("Another account has entered them. Log in with that one.")}`);
  if (state === "old") {
    const again = make("button", { className: "button small", type: "button" }, say("Load the page again"));
    again.addEventListener("click", loadAnew);
    return notice(`${count} ${say("The site is newer than this page. Nothing is lost: load the page again.")}`, again);
  }
  if (state === "offline" || state === "busy") {
    return notice(`${count} ${say("They are sent as soon as the site answers.")}`);
  }
  if (!isSecureContext) {
    return notice(say("Without https, browsers open this page only with a network. Here you can keep score online."));
  }
  return [];
}

async function loadAnew() {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  await registration?.update().catch(() => {});
  const worker = registration?.installing ?? registration?.waiting;
  if (worker) await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "activated" && done()));
  location.reload();
}

/** The theme of the site is in a cookie, which its server writes into the page elsewhere. */
function applyTheme() {
  const theme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  if (theme) document.documentElement.dataset.theme = theme;
}

addEventListener("hashchange", draw);
channel.addEventListener("message", refresh);
draw().then(() => begin(data, refresh));
if (location.pathname !== HERE) lookUp();
navigator.serviceWorker
  ?.register("/service-worker.js", { updateViaCache: "none" })
  .then((registration) => registration.update())
  .catch(() => {}); // There is no network.
