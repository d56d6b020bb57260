// The slider shows what it passes; where it is let go is a jump. By keys it is stepping like any other.

import { positions, slider } from "./page.js";
import { pause } from "./playing.js";
import { show, shown } from "./show.js";

const DRAG_PAUSE = 80; // milliseconds that another deal is waited for: most are only passed

let dragFrom = null; // the position where the drag began; null: nobody drags
let timer = 0;

slider.addEventListener("pointerdown", () => {
  dragFrom = shown();
  slider.dataset.dragged = "";
});

slider.addEventListener("input", () => {
  pause();
  const next = { ...shown(), move: Number(slider.value) };
  if (dragFrom === null) show(next);
  else drag(next);
});

slider.addEventListener("change", () => {
  if (dragFrom === null) return;
  clearTimeout(timer);
  delete slider.dataset.dragged;
  show({ ...dragFrom, move: Number(slider.value) }, { record: "jump", from: dragFrom });
  dragFrom = null;
});

function drag(next) {
  clearTimeout(timer);
  slider.setAttribute("aria-valuetext", positions.label(next.move));
  if (positions.dealOf(next.move) === positions.dealOf(shown().move)) show(next, { record: "" });
  else timer = setTimeout(() => show(next, { record: "" }), DRAG_PAUSE);
}
