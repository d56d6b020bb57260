// The start of a table is chosen on this browser's clock: says so, and offers the next full hour.

import { sentence } from "../site/sentences.js";

const zone = document.querySelector("[data-time-zone]");
const field = document.querySelector('input[type="datetime-local"]');

zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.getElementById(`${field.id}_helptext`).textContent = sentence("on_your_clock", { zone: zone.value });
if (!field.value) {
  const hour = new Date();
  hour.setHours(hour.getHours() + 1, 0, 0, 0);
  const local = new Date(hour - hour.getTimezoneOffset() * 60_000);
  field.value = local.toISOString().slice(0, 16);
}
