// The socket of a page. It opens again by itself when it is lost: at once if the server asks for that, else after pauses
// that grow.
//
// It sends events to document: "socket:open"; "socket:html" with a text; "socket:message" with any other message, parsed;
// "socket:close" with the reason why it stays closed, for a while or for good, or "" if it will open again soon.

const ANEW = 4012; // The server closes sockets with this code when somebody's rights have changed.
const CUT_OFF = 4429; // Too many sockets or messages of a user or an address: there may be room later.
const ENDS = { 4404: "gone", [CUT_OFF]: "cut_off" }; // reasons, by close code

// Milliseconds
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
const SHORTEST_PAUSE = 50;
const PAUSE_WHEN_CUT_OFF = 60_000;
const ANSWER_WITHIN = 10_000;

/** Milliseconds until the next try to connect.
    tries: failures since the last message. chance: from 0 to 1, so that pages come back one after the other. */
export function pauseAfter(code, tries, chance) {
  let pause = Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE);
  if (code === ANEW && !tries) pause = SHORTEST_PAUSE;
  if (code === CUT_OFF) pause = PAUSE_WHEN_CUT_OFF;
  return pause * (0.75 + chance / 2);
}

const announce = (name, detail) => document.dispatchEvent(new CustomEvent(`socket:${name}`, { detail }));

// A page that a form leaves must not ask with the old cookie: the answer could take away the cookie of the new session.
const LEAVES_WITHIN = 30_000; // milliseconds until a page that is still there, as after a download, asks again

let leaving = 0;
globalThis.addEventListener?.("submit", ({ target, defaultPrevented }) => {
  if (defaultPrevented || (target.target && target.target !== "_self")) return;
  clearTimeout(leaving);
  leaving = setTimeout(() => (leaving = 0), LEAVES_WITHIN);
});
globalThis.addEventListener?.("pageshow", () => (leaving = 0));

/** Whether a form that leaves this page is on its way. */
export const isLeaving = () => leaving !== 0;

export class Socket {
  static isThere = false; // whether this page has made one

  #address;
  #socket = null;
  #tries = 0;
  #timer = 0; // until it is given up or connects again
  #refetches;

  /** address: a function that returns the path to connect to. refetches: whether to look at the page again when rights
      have changed. */
  constructor(address, { refetches = true } = {}) {
    this.#address = address;
    this.#refetches = refetches;
    Socket.isThere = true;
    this.connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect now, in place of the present connection. */
  connect() {
    this.close();
    const address = new URL(this.#address(), location);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    const on = (type, act) => socket.addEventListener(type, (event) => socket === this.#socket && act(event));
    on("open", () => {
      clearTimeout(this.#timer);
      announce("open");
    });
    on("message", ({ data }) => this.#receive(data));
    on("close", ({ code }) => this.#lose(code));
    // On a dead line a browser waits for minutes.
    this.#timer = setTimeout(() => this.#lose(), ANSWER_WITHIN);
  }

  /** Close, and stay closed until `connect` is called. */
  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** Send a message as JSON. Returns whether there was an open socket for it. */
  send(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
    return this.isOpen;
  }

  #receive(text) {
    this.#tries = 0;
    if (text.startsWith("{")) announce("message", JSON.parse(text));
    else announce("html", text);
  }

  #lose(code) {
    this.close();
    const reason = ENDS[code] ?? "";
    if (reason !== "gone") this.#timer = setTimeout(() => this.connect(), pauseAfter(code, this.#tries++, Math.random()));
    if (code === ANEW && this.#refetches && !isLeaving()) fetchPage(location.href).catch(() => {}); // It reloads what may not be seen any more.
    announce("close", reason);
  }
}

/** Fetch and parse a page of ours; null for a redirection that was not to be followed. Reloads the page in the window if
    that was made for another user, because the session has changed, or if it may not be seen any more.
    options: as of fetch, where something is posted. Throws while the site is away. */
export async function fetchPage(address, options) {
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN), ...options });
  if (response.status >= 500) throw new Error("The site is away.");
  if (response.type === "opaqueredirect") return null;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const isGone = !options && response.status === 404;
  if (isGone || page.body.dataset.reader !== document.body.dataset.reader) location.reload();
  return page;
}
