// Links, fields, the wheel and fingers. Every link of the page into the replay is followed here: they are the controls.

import { copyLink, openCards, seeBeside, seeFrom, showTimes, step, toSheet } from "./acts.js";
import { mark } from "./marks.js";
import { form, page, positions, table } from "./page.js";
import { pause } from "./playing.js";
import { show, shown } from "./show.js";

const WHEEL_PAUSE = 60; // milliseconds: a touchpad sends many more
const SWIPE = 40; // pixels

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.pathname !== location.pathname || "leaves" in link.dataset || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.hash) toSheet();
  else if (link.dataset.step) step(link.dataset.step);
  else {
    pause();
    show(positions.fromAddress(link.search), { record: "jump" });
  }
});

addEventListener("popstate", () => {
  pause();
  show(positions.fromAddress(location.search), { record: "" });
});

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", ({ target }) => {
  if (target.name === "seat") seeFrom(Number(target.value), "");
  if (target.name === "beside") seeBeside(target.value === "" ? null : Number(target.value), "");
  if (target.name === "open") openCards(target.checked);
  if (target.name === "times") showTimes(target.checked);
});

const kinds = [...page.querySelectorAll("input[data-kind]")];
document.getElementById("marks").addEventListener("change", () => {
  const wanted = kinds.filter((kind) => kind.checked).map((kind) => kind.value);
  for (const pin of page.querySelectorAll(".pins > .pin")) {
    pin.classList.toggle("left-out", !wanted.includes(pin.dataset.kind));
  }
  for (const line of page.querySelectorAll("li[data-kind]")) line.hidden = !wanted.includes(line.dataset.kind);
  positions.markOnly(wanted);
  mark(shown(), positions.label(shown().move));
});
document.getElementById("copy").addEventListener("click", copyLink);

let wheeledAt = 0;
form.querySelector(".bar").addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    if (event.timeStamp - wheeledAt < WHEEL_PAUSE) return;
    wheeledAt = event.timeStamp;
    step(event.deltaY > 0 ? "on" : "back");
  },
  { passive: false },
);

let touch = null;
table.addEventListener("touchstart", ({ touches: [first] }) => (touch = first), { passive: true });
table.addEventListener("touchend", ({ changedTouches: [end] }) => {
  const [across, down] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? "on" : "back");
});
