// Digits by thumb: the keypad writes into the number that was pressed last, at first into the first empty one. The
// phone's own keyboard stays away. Without scripts that keyboard is all there is.

const LONGEST = 4;

const typed = new Map(); // numbers by the id of their field: a form that is drawn anew may hold older ones

let current = "";
let isFresh = true; // whether the next digit replaces the number
let isTouched = false;

/** Whether somebody has begun to fill in the form. */
export const isBegun = () => isTouched;

/** Begin another form. */
export function clear() {
  typed.clear();
  [current, isFresh, isTouched] = ["", true, false];
}

const numbers = () => [...document.querySelectorAll("#tally-entry input[type=number]")];
const chosen = () => document.getElementById(current) ?? numbers().find((input) => !input.value) ?? numbers()[0];

function prepare() {
  for (const input of numbers()) {
    input.inputMode = "none";
    if (typed.has(input.id) && input.value !== typed.get(input.id)) input.value = typed.get(input.id);
  }
  mark();
}

function mark() {
  const now = chosen();
  for (const input of numbers()) input.classList.toggle("current", input === now);
}

document.addEventListener("click", ({ target }) => {
  const input = chosen();
  const key = target.closest("[data-digit], [data-erase]");
  if (!key || !input) return;
  const text = "erase" in key.dataset ? input.value.slice(0, -1) : pressed(input, key.dataset.digit);
  [current, isFresh] = [input.id, false];
  input.value = text.slice(0, LONGEST);
  typed.set(input.id, input.value);
  isTouched = true;
  mark();
});

function pressed(input, digit) {
  if (digit === "-") return input.value.startsWith("-") ? input.value.slice(1) : `-${input.value || 0}`;
  if (isFresh) return digit;
  return input.value.replace(/^(-?)0+(?=\d)|^(-?)0$/, "$1$2") + digit;
}

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches("#tally-entry input[type=number]")) return;
  [current, isFresh] = [target.id, true];
  mark();
});

// Numbers do not change what else is asked: the form need not be drawn anew for them.
document.addEventListener(
  "change",
  (event) => {
    const form = event.target.closest?.("#tally-entry");
    if (!form) return;
    isTouched = true;
    if (event.target.type !== "number") return;
    typed.set(event.target.id, event.target.value);
    event.stopPropagation();
  },
  true,
);

new MutationObserver(prepare).observe(document.querySelector("main"), { childList: true, subtree: true });
prepare();
