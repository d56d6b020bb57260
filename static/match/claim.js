// The panel of claims goes when one is made, and with what there was to claim.

import { whenDrawn } from "./table.js";

const panel = document.getElementById("claim");

panel?.addEventListener("submit", () => queueMicrotask(() => panel.hidePopover()));

whenDrawn(() => {
  if (!document.getElementById("claim-button")) panel?.hidePopover();
});
