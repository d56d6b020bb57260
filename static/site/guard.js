// A control that appears under a finger or the pointer ignores it for a moment: what was meant was there before.
//
// Two signs that it has just appeared: where the pointer rests, or where the last tap was, another control was found
// after a change of the page; or, by touch, which hovers nowhere, the control itself is new on the page.

const DEAD = 600; // milliseconds
const TREMBLE = 4; // pixels that a hand at rest moves
const CONTROLS = "button, a[href], input, select, summary, label";

let point = null; // of the pointer, or of the last tap
let under = ""; // the name of the control there
let changedAt = -Infinity; // when another one came there without a movement
const born = new WeakMap(); // controls that came after the page: when

/** What a control is: one that is drawn anew is the same, one that another meaning was given to is not. */
function nameOf(control) {
  if (!control) return "";
  const { id, name, value, form } = control;
  const owner = control.getAttribute("form") ?? form?.id; // by the attribute, also once it is off the page
  return id || control.getAttribute("href") || (name ? `${owner} ${name} ${value}` : control.textContent.trim());
}

const here = () => (point ? nameOf(document.elementFromPoint(...point)?.closest(CONTROLS)) : "");

function follow({ clientX, clientY }) {
  const moved = point ? Math.hypot(clientX - point[0], clientY - point[1]) : Infinity;
  if (!moved) return; // browsers say so too when only the page has moved
  point = [clientX, clientY];
  const found = here();
  if (found !== under || moved > TREMBLE) changedAt = -Infinity;
  under = found;
}

function look() {
  const found = here();
  if (found === under) return;
  under = found;
  changedAt = performance.now();
}

const controlsIn = (nodes) =>
  [...nodes].filter((node) => node.matches).flatMap((node) => [...(node.matches(CONTROLS) ? [node] : []), ...node.querySelectorAll(CONTROLS)]);

new MutationObserver((records) => {
  const before = new Set(controlsIn(records.flatMap(({ removedNodes }) => [...removedNodes])).map(nameOf));
  const changed = records.flatMap(({ target, addedNodes, attributeName }) => (attributeName ? [target] : [...addedNodes]));
  const now = performance.now();
  for (const control of controlsIn(changed)) if (!before.has(nameOf(control))) born.set(control, now);
  look();
}).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ["hidden", "id"] });

for (const type of ["pointermove", "pointerdown"]) window.addEventListener(type, follow, { capture: true, passive: true });
for (const type of ["change", "toggle", "close", "transitionend"]) document.addEventListener(type, look, true);
document.addEventListener("scroll", () => (under = here()), { capture: true, passive: true });

window.addEventListener(
  "click",
  (event) => {
    if (!event.isTrusted || event.detail === 0) return; // by a key or a script
    const control = event.target.closest(CONTROLS);
    if (!control) return;
    const since = Math.max(
      nameOf(control) === under ? changedAt : -Infinity,
      event.pointerType === "touch" ? (born.get(control) ?? -Infinity) : -Infinity,
    );
    if (performance.now() - since >= DEAD) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
