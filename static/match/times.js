// Times that are still to come, on this browser's clock: the page says them by the clock of the site.

import { whenDrawn } from "./table.js";

const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });

whenDrawn(() => {
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = words.format(new Date(time.dateTime));
  }
});
