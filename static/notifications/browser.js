// What this browser shows of itself while nobody looks at the page, and whether it takes push messages.

const WORKER = "/service-worker.js";
const TAG = "valat"; // that of push messages too: a newer one takes the place of the older

export const canNotify = () => "Notification" in globalThis && globalThis.isSecureContext;
export const canPush = () => canNotify() && "serviceWorker" in navigator && "PushManager" in globalThis;

/** The script that shows messages, running; only where somebody has asked for them. */
export async function worker() {
  await navigator.serviceWorker.register(WORKER);
  return navigator.serviceWorker.ready;
}

/** Ask whether messages are allowed; only ever by a click. */
export async function allowed() {
  return (await Notification.requestPermission()) === "granted";
}

/** Show a sentence, where that is allowed and nobody sees the page. */
export async function notify(sentence) {
  if (!document.hidden || !canNotify() || Notification.permission !== "granted") return;
  const options = { tag: TAG, data: { url: location.pathname } };
  const registration = await navigator.serviceWorker?.getRegistration("/");
  if (registration) await registration.showNotification(sentence, options);
  else new Notification(sentence, options).addEventListener("click", () => window.focus());
}

/** What the site needs to know to send to this browser, as fields of a form; null where it takes no messages. */
export async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const found = await registration?.pushManager.getSubscription();
  return found ? fieldsOf(found) : null;
}

/** Take messages from now on, signed by the site's key: the same fields. */
export async function subscribe(publicKey) {
  const { pushManager } = await worker();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return fieldsOf(await pushManager.subscribe(options));
  } catch (error) {
    const older = await pushManager.getSubscription(); // perhaps one that the site made with another key
    if (!older) throw error;
    await older.unsubscribe();
    return fieldsOf(await pushManager.subscribe(options));
  }
}

export async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function fieldsOf(found) {
  const { endpoint, keys } = found.toJSON();
  return { endpoint, public_key: keys.p256dh, secret: keys.auth };
}
