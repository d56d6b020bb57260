// What this browser keeps of the shuffles at its tables, to compare with what the server says when a match is over: its
// own shares, and for each match what was promised before the first card, and the cards that it was shown.

const SHARES = "valat.shares"; // [{hash, share}], the newest last
const MATCHES = "valat.shuffles"; // {code: note}, the newest last
const KEPT = 50; // of each
const BYTES = 32;

/** Draw a share. Resolves to a function that keeps it and returns its SHA-256 in hex; to null where browsers can't. */
export async function draw() {
  if (!globalThis.crypto?.subtle) return null; // pages that came neither over https nor from this computer
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const hash = hex(await crypto.subtle.digest("SHA-256", bytes));
  return () => {
    write(SHARES, [...read(SHARES, []), { hash, share: hex(bytes) }].slice(-KEPT));
    return hash;
  };
}

/** The share whose SHA-256 this is, if this browser has drawn it, or "". */
export function shareOf(hash) {
  return read(SHARES, []).find((kept) => kept.hash === hash)?.share ?? "";
}

/** What was noted of a match, or null: {promise, share, late, hands}. promise: {seedHash, hashes, teams, place}, as shown
    before the share was told; late: whether the server answered that it came too late; hands: by the number of the
    shuffle {seat, cards, moves}, as shown first. */
export function noteOf(code) {
  return read(MATCHES, {})[code] ?? null;
}

/** Note more of a match. What is noted already stays. */
export function note(code, more) {
  const { [code]: known, ...others } = read(MATCHES, {});
  const noted = { ...more, ...known, hands: { ...more.hands, ...known?.hands } };
  write(MATCHES, Object.fromEntries([...Object.entries(others), [code, noted]].slice(-KEPT)));
}

function hex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise; // no storage here, or somebody else's
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // full, or none: then there is nothing to compare with
  }
}
