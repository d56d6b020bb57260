// The fields in which the numbers of a move are chosen: buttons that step them, what the choice is worth as it stands,
// and boxes that may not all be ticked. All of it is said by attributes; the move itself is put together by the server.
//
//   <button data-step="1">                          beside an <input type="number">: one more
//   <b data-echo="bet" data-words='["2 stones", "3 stones"]'>  what the number in the field "bet" comes to, from none on
//   <b data-echo="bet" data-times="-1" data-add="4" data-signed>  4 less that number, as a figure with its sign: "−4"
//   <b data-sum="tricks positions" data-points="[]" data-signed>  and the points for what those fields add up to: a box counts 1
//   <fieldset data-at-most="tricks">                no more boxes than the number chosen as "tricks"

import { mine, whenDrawn } from "./table.js";

const chosen = (name) => [...(mine()?.querySelectorAll(`[name="${name}"]`) ?? [])];

/** What a field adds up to: its number, that of the radio button chosen, or how many boxes are ticked. */
function number(name) {
  return chosen(name)
    .filter(({ type, checked }) => type === "number" || checked)
    .reduce((sum, { type, value }) => sum + (type === "checkbox" ? 1 : Number(value)), 0);
}

function update() {
  const panel = mine();
  if (!panel) return;
  for (const group of panel.querySelectorAll("[data-at-most]")) limit(group, number(group.dataset.atMost));
  for (const place of panel.querySelectorAll("[data-echo]")) {
    if ("signed" in place.dataset) place.textContent = signed(worked(place.dataset));
    else place.textContent = JSON.parse(place.dataset.words)[number(place.dataset.echo)] ?? place.textContent;
  }
}

function worked({ echo, times = 1, add = 0, sum = "", points }) {
  const count = sum.split(" ").reduce((total, name) => total + (name ? number(name) : 0), 0);
  return Number(add) + Number(times) * number(echo) + (points ? JSON.parse(points)[count] : 0);
}

const signed = (total) => (total ? `${total < 0 ? "−" : "+"}${Math.abs(total)}` : "0");

function limit(group, most) {
  const boxes = [...group.querySelectorAll("input")];
  for (const box of boxes.filter(({ checked }) => checked).slice(most)) box.checked = false;
  const full = boxes.filter(({ checked }) => checked).length >= most;
  for (const box of boxes) box.disabled = full && !box.checked;
}

document.addEventListener("input", ({ target }) => {
  if (target.closest("#mine")) update();
});

// Enter in a box would press the first button of its form, and so play a card.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("#mine [type=checkbox]")) return;
  event.preventDefault();
  event.target.click();
});

document.addEventListener("change", ({ target }) => {
  if (target.type !== "number" || !target.closest("#mine")) return;
  target.value = Math.min(Math.max(Math.round(Number(target.value)), Number(target.min)), Number(target.max));
  update();
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#mine [data-step]");
  if (!button) return;
  const field = button.parentElement.querySelector("input");
  field.stepUp(Number(button.dataset.step));
  update();
});

whenDrawn(update);
