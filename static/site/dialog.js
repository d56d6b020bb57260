// A dialog made by a script: `inside` (a text or an element) and a button for each way to close it.

import { showDialog } from "./back.js";

/** Show it; settles with the closed <dialog>, whose returnValue is that of the button, "" after Esc. */
export function dialog(inside, buttons) {
  const box = document.createElement("dialog");
  const form = document.createElement("form");
  const line = document.createElement("div");
  box.className = "dialog stack";
  form.method = "dialog";
  line.className = "row buttons";
  for (const { text, value, classes = "" } of buttons) {
    const button = document.createElement("button");
    button.textContent = text;
    button.value = value;
    button.className = `button ${classes}`;
    line.append(button);
  }
  if (typeof inside === "string") {
    const words = document.createElement("p");
    words.textContent = inside;
    words.id = "dialog-words";
    box.setAttribute("aria-labelledby", words.id);
    inside = words;
  }
  form.append(line);
  box.append(inside, form);
  document.body.append(box);
  showDialog(box);
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      box.remove();
      resolve(box);
    });
  });
}
