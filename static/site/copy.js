// A button with data-copy-link="/path/" copies the whole address of that page.

import { dialog } from "./dialog.js";

const STAYS = 2000; // milliseconds

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy-link]");
  if (!button) return;
  const address = new URL(button.dataset.copyLink, location).href;
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    showAddress(address); // browsers give no clipboard to pages without https
    return;
  }
  button.dataset.done = "Copied";
  setTimeout(() => delete button.dataset.done, STAYS);
});

function showAddress(address) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  label.className = "field";
  field.className = "input";
  field.readOnly = true;
  field.value = address;
  label.append("Copy this address:", field);
  dialog(label, [{ text: "Close", value: "" }]);
  field.select();
}
