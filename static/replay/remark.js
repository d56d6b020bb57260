// Comments are read and written beside the table, which stays in sight.

import { page, positions } from "./page.js";
import { pause } from "./playing.js";
import { shown } from "./show.js";

const dialog = document.getElementById("remark");
const talk = document.getElementById("remark-talk");

page.addEventListener("click", async (event) => {
  const link = event.target.closest("a#comment");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pause();
  const response = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!response?.ok || response.redirected) {
    location.assign(link.href); // that page says what is wrong, or asks for a login
    return;
  }
  const { pathname, search } = new URL(positions.address(shown()), location.href);
  await htmx.swap({ target: talk, swap: "innerHTML", text: await response.text() });
  for (const field of talk.querySelectorAll("[name=next]")) field.value = pathname + search;
  dialog.show(); // not modal: the replay goes on stepping
  talk.querySelector("textarea")?.focus();
});

dialog.addEventListener("keydown", (event) => {
  if (event.key === "Escape") dialog.close();
});
