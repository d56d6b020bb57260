/* global SHELL */
// Shows what the site pushes, and keeps the page for tallies without a network. SHELL comes from the server before this
// text: {version, page, files}.
//
// Only that page and its files are kept. They are the same for everybody. All else comes from the site, or not at all.

const CACHE = `valat-${SHELL.version}`;

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("message", (event) => event.data === "keep" && event.waitUntil(keepAgain()));

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([SHELL.page, ...SHELL.files].map((url) => new Request(url, { cache: "no-cache" })));
}

/** Whoever has logged out has emptied the cache. */
async function keepAgain() {
  if (!(await caches.has(CACHE))) await keep();
}

async function begin() {
  const older = (await caches.keys()).filter((name) => name.startsWith("valat-") && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (pathname === SHELL.page || SHELL.files.includes(pathname)) event.respondWith(kept(event.request, pathname));
  else if (event.request.mode === "navigate") event.respondWith(visit(event.request));
});

const found = (pathname) => caches.match(pathname, { cacheName: CACHE, ignoreVary: true });

const kept = async (request, pathname) => (await found(pathname)) ?? fetch(request);

/** A page from the site; without a network the page that says so, and draws the tally of that address. */
async function visit(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await found(SHELL.page);
    if (page) return page;
    throw error;
  }
}

// Push messages

self.addEventListener("push", (event) => {
  event.waitUntil(show(read(event.data)));
});

function read(data) {
  try {
    return data.json();
  } catch {
    return { title: "Valat", body: "", url: "/", waiting: 0 };
  }
}

async function show({ title, body, url, waiting }) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage({ waiting });
  if (waiting) self.navigator.setAppBadge?.(waiting).catch(() => {});
  if (pages.some((page) => page.visibilityState === "visible")) return; // whoever looks at the site sees it there
  await self.registration.showNotification(title, { body, tag: "valat", renotify: true, data: { url } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.url ?? "/"));
});

async function lead(path) {
  const address = new URL(path, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url === address.href);
  if (there) await there.focus();
  else await self.clients.openWindow(address.href);
}
