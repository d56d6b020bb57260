// Moments on the reader's clock: those that the server has drawn without knowing it are drawn anew.
//
// The server learns the browser's zone from a cookie. A zone chosen in the settings stands on <html> and goes first.

import { inWords } from "./moments.js";

const YEAR = 365 * 24 * 3600; // seconds
const inBrowser = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Let the server know the browser's zone. Returns whether this page was drawn without it. */
function tell() {
  const cookie = `timezone=${inBrowser}`;
  if (!inBrowser || document.cookie.split("; ").includes(cookie)) return false;
  document.cookie = `${cookie}; path=/; max-age=${YEAR}; samesite=lax`;
  return true;
}

function draw(selector) {
  const { lang, dataset } = document.documentElement;
  const zone = dataset.timeZone || inBrowser;
  for (const time of document.querySelectorAll(selector)) {
    const date = new Date(time.dateTime);
    time.textContent = inWords(date, time.dataset.local ?? time.dataset.moment, lang, zone);
    time.title = `${inWords(date, "start", lang, zone)} (${zone})`;
  }
}

const isNews = tell() && !document.documentElement.dataset.timeZone;
draw(isNews ? "time[data-local], time[data-moment]" : "time[data-local]");
for (const type of ["htmx:after:swap", "table:drawn", "page:drawn"]) {
  document.addEventListener(type, () => draw("time[data-local]"));
}
