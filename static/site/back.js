// Back closes the topmost panel that is open: a dialog, a menu, a popover.

import { Panels } from "./panels.js";

const isOurs = () => history.state?.panel === true;
const entries = { push: () => history.pushState({ panel: true }, ""), back: () => history.back() };
const panels = new Panels(entries, isOurs());

/** Show a <dialog>, which Back will close. */
export function showDialog(dialog) {
  dialog.showModal();
  panels.opened(dialog, () => dialog.close());
  dialog.addEventListener("close", () => panels.closed(dialog), { once: true });
}

document.addEventListener(
  "toggle",
  ({ target, newState }) => {
    if (!target.matches("details.menu, [popover]")) return;
    if (newState !== "open") panels.closed(target);
    else panels.opened(target, () => (target.matches("details") ? (target.open = false) : target.hidePopover()));
  },
  true, // it does not bubble
);

addEventListener("popstate", () => panels.popped(isOurs()));
