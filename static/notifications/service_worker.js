// Shows what the site pushes, and leads to it. It keeps nothing and answers no requests.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

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
