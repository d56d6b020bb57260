// A form that takes a seat has a field with data-entropy: when it is sent, this browser draws its share in the shuffles
// and commits itself to it there. The share itself is told when all seats are taken, by match/entropy.js.

import { draw } from "./notes.js";

let next = null; // a share at hand when a form is sent, which waits for nothing

async function prepare() {
  next = await draw();
}

if (document.querySelector("[data-entropy]")) prepare();

document.addEventListener(
  "submit",
  ({ target }) => {
    const field = target.querySelector("[data-entropy]");
    if (!field || !next) return;
    field.value = next(); // a new one each time: a share is for one table
    next = null;
    prepare();
  },
  true,
);
