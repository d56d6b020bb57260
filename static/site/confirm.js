// A button with data-confirm="question" asks in a dialog before it does what it does.

import { dialog } from "./dialog.js";
import { sentence } from "./sentences.js";

document.addEventListener(
  "click",
  async (event) => {
    const button = event.target.closest("[data-confirm]");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    const { returnValue } = await dialog(button.dataset.confirm, [
      { text: sentence("cancel"), value: "" },
      { text: button.textContent.trim(), value: "yes", classes: "danger" },
    ]);
    if (returnValue === "yes") button.form.requestSubmit(button);
  },
  true,
);
