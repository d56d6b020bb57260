// What can be done by keys and by controls alike.

import { form, match, page, positions, sheet, wide } from "./page.js";
import { pause } from "./playing.js";
import { isStep } from "./positions.js";
import { sentence } from "../site/sentences.js";
import { show, shown } from "./show.js";
import { say } from "./speech.js";

const COPIED = 2000; // milliseconds for which the button says so

/** Follow a control of the timeline by its name. */
export function step(control) {
  pause();
  const move = positions.target(control, shown().move);
  if (move !== shown().move) show({ ...shown(), move }, { record: isStep(control) ? "step" : "jump" });
}

export function seeFrom(seat, spoken = sentence("view_as", { name: form.elements.seat.options[seat].text })) {
  const { beside } = shown();
  show({ ...shown(), seat, beside: beside === seat ? null : beside }, { spoken });
}

/** Show the hand of another seat too; null: no longer. */
export function seeBeside(seat, spoken = null) {
  show({ ...shown(), beside: seat === shown().seat ? null : seat }, { spoken });
}

/** Show the hand of the seat after the one that is shown beside, and after the last one none. */
export function seeNextBeside() {
  const { seat, beside } = shown();
  const rest = Array.from(form.elements.seat.options, ({ value }) => Number(value)).filter((other) => other !== seat);
  const next = beside === null ? rest[0] : (rest[rest.indexOf(beside) + 1] ?? null);
  const name = next === null ? "" : form.elements.seat.options[next].text;
  seeBeside(next, name ? sentence("beside", { name }) : sentence("as_known"));
}

export function showTimes(on) {
  form.elements.times.checked = on;
  page.classList.toggle("with-times", on);
  say(sentence(on ? "times_on" : "times_off"));
}

export function openCards(open) {
  show({ ...shown(), open }, { spoken: sentence(open ? "open_cards" : "as_known") });
}

/** Go to the next move that lost points, or with -1 to the one before. */
export function toMistake(direction) {
  pause();
  const { move } = shown();
  const list = match.mistakes;
  const to = direction > 0 ? list.find((other) => other > move) : list.findLast((other) => other < move);
  if (to === undefined) say(sentence(direction > 0 ? "no_more_mistakes" : "no_mistakes_before"));
  else show({ ...shown(), move: to }, { record: "jump" });
}

/** Show the sheet: beside the table, or on smaller screens below it. Once more: no longer. */
export function toSheet() {
  if (wide.matches) page.classList.toggle("without-side");
  else if (sheet.getBoundingClientRect().top > 0.5 * innerHeight) sheet.scrollIntoView();
  else scrollTo(0, 0);
}

export async function copyLink() {
  const link = new URL(positions.address(shown()), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say(sentence("move_link_copied"));
    const button = document.getElementById("copy");
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), COPIED);
  } catch {
    prompt(sentence("move_link"), link); // no clipboard without https
  }
}

export function leave() {
  if (!pause()) location.assign(page.dataset.match);
}
