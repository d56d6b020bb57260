// The announcements of the staff: fetched again when the server says that they have changed, with a countdown to a break.

const AFTER = 3000; // milliseconds: by then each process of the site has read what changed
const WITHIN = 3000; // Milliseconds, so that not all pages ask at the same moment.

const box = () => document.getElementById("announcements");

async function fetchAgain() {
  const response = await fetch(box().dataset.address).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  box().replaceChildren(...page.getElementById("announcements").childNodes); // the box stays: what is new in it is read out
  count();
}

/** Milliseconds as "9:32" or "1:09:32". */
export function clock(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
}

function count() {
  for (const each of document.querySelectorAll("[data-countdown]")) {
    const left = new Date(each.dataset.countdown) - Date.now();
    each.textContent = left > 0 ? `(${clock(left)})` : `(${each.dataset.over})`;
  }
}

if (box()) {
  document.addEventListener("socket:message", ({ detail }) => {
    if (detail.announcements) setTimeout(fetchAgain, AFTER + Math.random() * WITHIN);
  });
  setInterval(count, 1000);
  count();
}
