// Without a network: where somebody keeps score or has installed the site, the browser keeps the page for that. What
// it has of a user goes when they log out.

const { reader } = document.body.dataset;
const OWNER = "valat.tallies"; // as static/tallies/shelf.js keeps it

const isInstalled = () => matchMedia("(display-mode: standalone)").matches;
const keepsScore = location.pathname.startsWith("/tallies/");
const canKeep = globalThis.isSecureContext && "serviceWorker" in navigator;

async function keepPage() {
  await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage("keep");
}

function ownerHere() {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    return null;
  }
}

async function forget() {
  for (const name of await (globalThis.caches?.keys() ?? [])) await caches.delete(name);
  const { forgetOthers } = await import("../tallies/shelf.js");
  await forgetOthers(reader ? Number(reader) : null);
}

/** Say on pages of tallies that something here was not sent yet. */
async function showUnsent() {
  const notice = document.getElementById("tally-unsent");
  if (!notice) return;
  const { hasUnsent, tallies } = await import("../tallies/shelf.js");
  notice.hidden = !(await tallies()).some(hasUnsent);
}

async function begin() {
  const owner = ownerHere();
  if (owner !== null && owner !== "null" && owner !== (reader ?? "null")) await forget();
  await showUnsent();
  if (canKeep && (keepsScore || isInstalled())) await keepPage();
}

begin().catch(() => {}); // The network or the storage was away: the next page tries again.
if (canKeep) addEventListener("appinstalled", () => keepPage().catch(() => {}));
