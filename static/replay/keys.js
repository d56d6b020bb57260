// The keys of the replay.

import { copyLink, leave, openCards, seeFrom, seeNextBeside, showTimes, step, toMistake, toSheet } from "./acts.js";
import { showDialog } from "../site/back.js";
import { isCharacter, keyName, showOwnKeys } from "../site/keyboard.js";
import { form, match, page, slider } from "./page.js";
import { togglePlay } from "./playing.js";
import { setting } from "../site/settings.js";
import { shown } from "./show.js";

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
  p: () => step("mark-back"),
  n: () => step("mark-on"),
  t: () => showTimes(!form.elements.times.checked),
  r: () => page.dispatchEvent(new Event("replay:back")),
  s: toSheet,
  c: copyLink,
  "?": () => showDialog(help),
  Escape: leave,
};
const SHIFTED = { ArrowLeft: ACTS["["], ArrowRight: ACTS["]"] };

if (match.over) {
  const seats = form.elements.seat.options;
  ACTS.f = () => seeFrom((shown().seat + 1) % seats.length);
  ACTS.b = seeNextBeside;
  for (let seat = 0; seat < seats.length; seat++) ACTS[seat + 1] = () => seeFrom(seat);
}

if (match.mistakes.length) {
  ACTS.m = () => toMistake(1);
  ACTS.M = () => toMistake(-1);
}
ACTS.a = () => document.getElementById("verdict")?.click();

if (match.can_open) ACTS.o = () => openCards(!shown().open);

let closes = false; // whether Escape only closes what is open; menus do so before we hear of it
const look = () => (closes = Boolean(document.querySelector(".menu[open], :popover-open")));
document.addEventListener("keydown", look, { capture: true });

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && closes) return;
  const key = keyName(event);
  if (isCharacter(key) && setting("keys") === "off") return;
  const act = (event.shiftKey && SHIFTED[key]) || ACTS[key];
  if (!act || isTheirs(event)) return;
  event.preventDefault();
  act();
});

/** Whether the element with the focus has a use for the key. */
function isTheirs({ key, target }) {
  if (target.matches("select, textarea, input:not([type=range], [type=checkbox])")) return true;
  if (target === slider) return key.length > 1 && key !== "Escape";
  return key === " " && target.matches("button, input");
}

showOwnKeys(help);
document.getElementById("help").addEventListener("click", () => showDialog(help));
