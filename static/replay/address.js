// The address of the page names the position that is shown, so that it can be sent, and Back and reload find it again.

const PAUSE = 300; // milliseconds between two changes: browsers refuse more than some hundred in half a minute

const WITHIN = document.body.classList.contains("embedded");

let wanted = null; // the address that waits for the pause to end
let timer = 0;

/** Change the address, as soon as may be. */
export function replaceAddress(address) {
  wanted = address;
  if (!timer) write();
}

function write() {
  timer = 0;
  if (wanted === null) return;
  history.replaceState(null, "", wanted);
  wanted = null;
  timer = setTimeout(write, PAUSE);
}

addEventListener("popstate", () => (wanted = null)); // the browser has set another

/** Change the address so that Back leads to `from`. */
export function pushAddress(from, to) {
  wanted = null;
  history.replaceState(null, "", from);
  if (WITHIN) history.replaceState(null, "", to); // the page around it has a Back of its own
  else history.pushState(null, "", to);
}
