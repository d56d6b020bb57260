// The panel of claims says what a claim means for the bid. It goes when one is made, and with what there was to claim.

import { whenDrawn } from "./table.js";

const panel = document.getElementById("claim");

panel?.addEventListener("submit", () => queueMicrotask(() => panel.hidePopover()));

whenDrawn(() => {
  const button = document.getElementById("claim-button");
  if (!panel) return;
  const note = document.getElementById("claim-note");
  if (note) note.textContent = button?.dataset.note ?? "";
  if (!button) panel.hidePopover();
});
