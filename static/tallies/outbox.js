// Sends what the device has kept: tallies that were begun here, then their entries in order. The site knows each by its
// id, so what is sent twice counts once. Nothing leaves the device before the site has said that it has it.

import { hasUnsent, keep, settle, tallies } from "./shelf.js";

const FIRST_PAUSE = 2_000; // milliseconds
const LONGEST_PAUSE = 15_000;

let pause = FIRST_PAUSE;
let timer = 0;
let protocol = 0;
let batch = 0;
let announce = () => {};

/** What is between the device and the site: "idle", "sending", "offline", "out", "other", "old", "busy". */
export let state = "idle";

class Away extends Error {}

/** Begin to send, now and whenever there is a network. changed: called after each change. */
export function begin(data, changed) {
  ({ protocol, batch } = data);
  announce = changed;
  addEventListener("online", () => send());
  document.addEventListener("visibilitychange", () => document.hidden || send());
  return send();
}

/** Send everything. asGuest: whether a visitor becomes a guest for it. Pages take turns. */
export async function send(asGuest = false) {
  clearTimeout(timer);
  try {
    if (navigator.locks) await navigator.locks.request("valat.tallies", () => sendAll(asGuest));
    else await sendAll(asGuest);
    pause = FIRST_PAUSE;
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    show(error.message);
  }
  if (!(await tallies()).some(hasUnsent) || ["out", "other", "old"].includes(state)) return;
  timer = setTimeout(send, pause);
  pause = Math.min(2 * pause, LONGEST_PAUSE);
}

function show(next) {
  state = next;
  announce();
}

async function sendAll(asGuest) {
  const waiting = (await tallies()).filter((tally) => hasUnsent(tally) && !tally.problem).toReversed();
  if (!waiting.length) return show("idle");
  show("sending");
  let { reader, token } = await ask("/tallies/device/");
  if (reader === null && !asGuest) throw new Away("out");
  let isOther = false;
  for (const tally of waiting) {
    if (reader !== null && tally.owner !== null && tally.owner !== reader) {
      isOther = true;
      continue;
    }
    const own = tally.code ? tally : await beginThere(tally, token, asGuest);
    if (reader === null) ({ reader, token } = await ask("/tallies/device/"));
    if (own.code) await sendEntries(own, token);
  }
  return show(isOther ? "other" : "idle");
}

async function beginThere(tally, token, asGuest) {
  const { game, options, names, key } = tally;
  const answer = await ask("/tallies/device/begin/", { game, options, names, key, guest: asGuest }, token);
  const begun = answer.state ? merge(tally, answer) : { ...tally, problem: { refusal: answer.refusal } };
  await settle(begun, []);
  return begun;
}

async function sendEntries(tally, token) {
  let own = tally;
  while (own.unsent.length && !own.problem) {
    const entries = own.unsent.slice(0, batch).map(({ id, kind, deal, body, seen }) => ({ id, kind, deal, body, seen }));
    const answer = await ask(`/tallies/${own.code}/device/`, { entries }, token);
    if (answer.gone) own = { ...own, problem: { gone: true } };
    else if (!answer.state) own = { ...own, problem: { refusal: answer.refusal } };
    else own = merge(own, answer);
    const known = answer.known ?? [];
    await settle(own, known);
    own = { ...own, unsent: own.unsent.filter(({ id }) => !known.includes(id)) };
    announce();
  }
}

/** A tally with what the site says of it. */
export const merge = (tally, { state: there, problem = null, reader }) => ({
  ...tally,
  ...there,
  seats: there.names.length,
  owner: reader,
  problem,
});

/** Copy a tally of the site to this device, so that it can go on without a network. */
export async function copy(code, kept) {
  const answer = await ask(`/tallies/${code}/device/`);
  if (answer.state) await keep(merge(kept ?? { id: code, place: Date.now(), key: "" }, answer));
  return answer;
}

/** Ask the site. Throws Away with the new state if it gives no answer of ours. */
async function ask(path, message, token) {
  const body = message && JSON.stringify({ protocol, ...message });
  const headers = message ? { "Content-Type": "application/json", "X-CSRFToken": token } : {};
  let response;
  try {
    response = await fetch(path, { method: message ? "POST" : "GET", body, headers, cache: "no-store" });
  } catch {
    throw new Away("offline");
  }
  if (!response.headers.get("Content-Type")?.includes("json")) throw new Away("busy");
  const answer = await response.json();
  if (protocol && answer.protocol !== protocol) throw new Away("old");
  if (message && answer.reader === null) throw new Away("out");
  return answer;
}
