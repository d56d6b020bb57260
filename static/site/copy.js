// A button with data-copy-link="/path/" copies the whole address of that page, and says so: beside it, where there is an
// element with data-copied for that, else below it.

import { dialog } from "./dialog.js";
import { make } from "./elements.js";
import { sentence } from "./sentences.js";

const STAYS = 4000; // milliseconds

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
  const say = (words) => tell(document.getElementById(button.id) ?? button, words);
  const again = () => say(sentence("link_copied")); // a table that is drawn anew knows nothing of it
  document.addEventListener("table:drawn", again);
  setTimeout(() => {
    document.removeEventListener("table:drawn", again);
    say("");
  }, STAYS);
  again();
});

function tell(button, words) {
  const place = button.parentElement?.querySelector("[data-copied]");
  if (place) place.textContent = words;
  else if (words) button.dataset.done = words;
  else delete button.dataset.done;
}

function showAddress(address) {
  const field = make("input", { className: "input", readOnly: true, value: address });
  dialog(make("label", { className: "field" }, sentence("copy_address"), field), [{ text: sentence("close"), value: "" }]);
  field.select();
}
