// A form that takes a seat has a field with data-entropy: when it is sent, this browser draws its share in the shuffles
// and commits itself to it there. The share itself is told when all seats are taken, by match/entropy.js.

import { draw, shareFor } from "./notes.js";

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
  const sent = { method: "POST", body: new FormData(form, submitter), headers: { Accept: "application/json" } };
  const answer = await fetch(form.action, sent).catch(() => null);
  if (!answer?.ok) {
    send(form.action, Object.fromEntries(sent.body)); // whatever stood in the way, its answer says
    return;
  }
  const { code, address, promise, token } = await answer.json();
  const share = promise && shareFor(code, JSON.parse(promise));
  if (share) send(`${address}entropy/`, { csrfmiddlewaretoken: token, entropy: share, page: 1 });
  else location.assign(address);
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
