// The controls say where we are, and where they lead from there.

import { form, match, page, positions, slider } from "./page.js";
import { sentence } from "../site/sentences.js";
import { share } from "./share.js";

/** Mark a position on the controls. words: the move in words, where they are known. */
export function mark(position, where, words) {
  const { move } = position;
  if (!("dragged" in slider.dataset)) slider.value = move;
  slider.setAttribute("aria-valuetext", words ? sentence("move", { where, move: words }) : where);
  form.querySelector(".deal.now")?.classList.remove("now");
  form.querySelectorAll(".deal")[positions.dealOf(move).number - 1].classList.add("now");
  share(position);
  const paper = document.getElementById("paper");
  if (paper) paper.search = `?deal=${positions.dealOf(move).number}`;
  for (const control of page.querySelectorAll("[data-step]")) {
    const to = positions.target(control.dataset.step, move);
    if (to === move) control.removeAttribute("href");
    else control.href = positions.address({ ...position, move: to });
    control.ariaDisabled = to === move ? "true" : null;
    control.role = to === move ? "link" : null;
  }
  if (match.over) {
    form.elements.seat.value = position.seat;
    form.elements.beside.value = position.beside ?? "";
  }
  if (match.can_open) form.elements.open.checked = position.open;
}
