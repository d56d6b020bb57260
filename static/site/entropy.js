// A form that takes a seat has a field with data-entropy: when it is sent, this browser draws its share in the shuffles
// and commits itself to it there. The share itself is told when all seats are taken, by match/entropy.js.

import { draw, shareFor } from "./notes.js";

const LONGEST = 10_000; // milliseconds until an answer that doesn't come is asked for in the open

let next = null; // a share at hand when a form is sent, which waits for nothing
let dealing = null; // the form whose table is being opened

async function prepare() {
  next = await draw();
}

if (document.querySelector("[data-entropy]")) prepare();

document.addEventListener(
  "submit",
  (event) => {
    const { target, submitter } = event;
    if (target === dealing) event.preventDefault();
    const field = target.querySelector("[data-entropy]");
    if (!field || !next || target === dealing) return;
    field.value = next(); // a new one each time: a share is for one table
    next = null;
    prepare();
    if (!("deals" in target.dataset) || !field.value) return;
    event.preventDefault();
    deal(target, submitter);
  },
  true,
);

addEventListener("pageshow", () => (dealing = null)); // by Back, after cards were dealt

async function deal(form, submitter) {
  dealing = form;
  let left = false; // for another page: Firefox fails what is still asked for then
  const leave = () => (left = true);
  addEventListener("beforeunload", leave);
  const body = new FormData(form, submitter);
  const sent = { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(LONGEST) };
  const answer = await fetch(form.action, sent).catch(() => null);
  const text = (await answer?.text().catch(() => "")) ?? "";
  removeEventListener("beforeunload", leave);
  dealing = null; // what follows may be stopped, and Play pressed again
  if (left) return;
  const { code, address, promise, token } = answer?.ok ? parsed(text) : {};
  const share = promise && shareFor(code, JSON.parse(promise));
  if (share) send(`${address}entropy/`, { csrfmiddlewaretoken: token, entropy: share, page: 1 });
  else if (address) location.assign(address);
  else send(form.action, { ...Object.fromEntries(body), ...newToken(text) }); // its answer says what stands in the way
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // not ours: a page to log in to a network, say
  }
}

/** The token of a page that refuses: whoever was refused as a new guest has another one. */
function newToken(text) {
  const field = new DOMParser().parseFromString(text, "text/html").querySelector("[name=csrfmiddlewaretoken]");
  return field ? { csrfmiddlewaretoken: field.value } : {};
}

function send(action, fields) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}
