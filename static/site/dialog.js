// A dialog made by a script: `inside` (a text or an element) and a button for each way to close it.

import { showDialog } from "./back.js";
import { make } from "./elements.js";

/** Show it; settles with the closed <dialog>, whose returnValue is that of the button, "" after Esc. */
export function dialog(inside, buttons) {
  const line = buttons.map(({ text, value, classes = "" }) => make("button", { value, className: `button ${classes}` }, text));
  const form = make("form", { method: "dialog" }, make("div", { className: "row buttons" }, ...line));
  const isText = typeof inside === "string";
  const box = make("dialog", { className: "dialog stack" }, isText ? make("p", { id: "dialog-words" }, inside) : inside, form);
  if (isText) box.setAttribute("aria-labelledby", "dialog-words");
  document.body.append(box);
  showDialog(box);
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      box.remove();
      resolve(box);
    });
  });
}
