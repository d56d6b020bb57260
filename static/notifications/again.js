// Where somebody has turned push messages on, the site is told once more now and then where to send them: a browser
// may have changed its address meanwhile, and with a new log-in the site forgets the old one.

import { setting } from "../site/settings.js";
import { canPush, subscription } from "./browser.js";

const { reader } = document.body.dataset;
const SAID = "valat.push.said";
const AGAIN_AFTER = 15 * 60_000; // milliseconds

async function say() {
  const fields = await subscription();
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!fields || !token) return;
  const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken: token, again: "1" });
  const response = await fetch("/notices/browser/", { method: "POST", body });
  if (response.ok) localStorage.setItem(SAID, Date.now());
}

if (reader && setting("push") === reader && canPush()) {
  if (Date.now() - Number(localStorage.getItem(SAID)) > AGAIN_AFTER) say().catch(() => {});
}
