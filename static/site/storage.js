// What this browser keeps as JSON. store: "localStorage" or "sessionStorage", which browsers may forbid.

/** What is kept under a key; `otherwise` if nothing is. */
export function read(store, key, otherwise) {
  try {
    return JSON.parse(globalThis[store].getItem(key)) ?? otherwise;
  } catch {
    return otherwise; // no storage here, or somebody else's
  }
}

/** Keep a value, if there is room for it. */
export function write(store, key, value) {
  try {
    globalThis[store].setItem(key, JSON.stringify(value));
  } catch {
    // full, or none
  }
}
