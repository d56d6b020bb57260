// A form that takes a seat has a field with data-entropy: when it is sent, this browser draws its share in the shuffles
// and commits itself to it there. The share itself is told when all seats are taken, by match/entropy.js.
//
// A form with data-deals, the slug of a game, opens a table where nobody else has a share. What would be promised there
// is known before, and promised by the page with the form: so it is noted when the form is sent, and the share goes
// with it. The server deals as was noted or not at all, and its answer is the table with its cards.
//
// It runs as soon as it is there, so that it is for whoever presses Play at once: the page may not be whole by then.

import { draw, noteOf, promiseAlone, shareFor } from "./notes.js";

// Milliseconds
const ANSWER_WITHIN = 5000; // a form without an answer may be sent again then
const MARGIN = 10 * 60_000; // a promise that is kept for no longer is no good: clocks differ

let next = null; // a share at hand when a form is sent, which waits for nothing
let promised = null; // {code, token, until, scheme, seedHash} of a match to come
let tables = null; // by game and length its {teams, dealing}; null where the page promises nothing
let sent = null; // the form whose table is being opened

const prepare = async () => (next = await draw());

function read() {
  const text = document.getElementById("promise")?.textContent;
  if (text && !promised) ({ tables, ...promised } = JSON.parse(text));
}

/** Have a promise at hand that is still kept, and of a match that has not been opened. */
async function renew() {
  read();
  if (!tables || isGood()) return;
  const answer = await fetch("/play/promise/", { headers: { Accept: "application/json" } }).catch(() => null);
  const fresh = answer?.ok ? await answer.json().catch(() => null) : null; // no JSON: not ours
  if (fresh?.code) promised = fresh;
}

const isGood = () => Date.now() < promised.until - MARGIN && !noteOf(promised.code);

prepare();

document.addEventListener(
  "submit",
  (event) => {
    const { target, submitter } = event;
    if (target === sent) event.preventDefault();
    const field = target.querySelector("[data-entropy]");
    if (!field || !next || target === sent) return;
    field.value = next(); // a new one each time: a share is for one table
    next = null;
    prepare();
    read();
    if (field.value && tables) tell(target, submitter, field.value);
  },
  true,
);

/** Let a form that is being sent tell the share, if the table that it opens was promised. */
function tell(form, submitter, hash) {
  const length = new FormData(form, submitter).get("length") ?? "";
  const table = tables[form.dataset.deals]?.[length];
  if (!table || !isGood()) return; // then it is told at the table
  const promise = promiseAlone(promised, table, hash);
  const entropy = shareFor(promised.code, promise);
  if (!entropy) return;
  const told = { token: promised.token, noted: JSON.stringify(promise), entropy };
  const add = ({ formData }) => Object.entries(told).forEach(([name, text]) => formData.set(name, text));
  form.addEventListener("formdata", add, { once: true });
  sent = form;
  setTimeout(again, ANSWER_WITHIN);
}

function again() {
  sent = null;
  renew();
}

addEventListener("pageshow", again); // by Back, too, after cards were dealt
document.addEventListener("visibilitychange", () => document.hidden || renew());
