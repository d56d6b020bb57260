// A button beside each field for a password shows what is typed there, and hides it again.

import { make } from "./elements.js";
import { sentence } from "./sentences.js";

for (const field of document.querySelectorAll('input[type="password"]')) {
  const button = make("button", { type: "button", className: "button quiet small" });
  const hide = (hidden) => {
    field.type = hidden ? "password" : "text";
    button.textContent = sentence(hidden ? "show_password" : "hide_password");
  };
  button.setAttribute("aria-controls", field.id);
  button.addEventListener("click", () => {
    hide(field.type === "text");
    field.focus();
  });
  field.form?.addEventListener("submit", () => hide(true)); // so that no browser keeps it among ordinary words
  hide(true);
  field.after(button);
}
