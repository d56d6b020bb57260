// What this browser keeps of the shuffles at its tables, to compare with what the server says when a match is over: its
// own shares, and for each match what was promised before the first card, and the cards that it was shown.

import { read, write } from "./storage.js";

const STORE = "localStorage";
const SHARES = "valat.shares"; // [{hash, share, code}], the newest last; code: of the match it was told to, if it was
const MATCHES = "valat.notes"; // {code: note}, the newest last
const KEPT = 50; // of each
const BYTES = 32;

/** Draw a share. Resolves to a function that keeps it and returns its SHA-256 in hex, "" if nothing can be kept here;
    to null where browsers can't. */
export async function draw() {
  if (!globalThis.crypto?.subtle) return null; // pages that came neither over https nor from this computer
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const hash = hex(await crypto.subtle.digest("SHA-256", bytes));
  return () => {
    write(STORE, SHARES, [...read(STORE, SHARES, []), { hash, share: hex(bytes) }].slice(-KEPT));
    return kept(hash) ? hash : "";
  };
}

/** The share that may be told at a match for this promise, which is noted first, or "".

    It is told for one match and for the list that was shown first there: once the server knows it, it could make
    another list, or another match, that goes with it. */
export function shareFor(code, promise) {
  const hash = promise.hashes[promise.place];
  const { share, code: told } = kept(hash) ?? {};
  const noted = noteOf(code)?.promise;
  if (!share || (told ? told !== code || !noted : false) || (noted && !same(noted, promise))) return "";
  note(code, { promise, share });
  write(STORE, SHARES, read(STORE, SHARES, []).map((other) => (other.hash === hash ? { ...other, code } : other)));
  return same(noteOf(code)?.promise, promise) && kept(hash).code === code ? share : ""; // not where storage is full
}

/** The promise of a match that was promised before it is opened: only this browser, with the share of this hash, gives
    one, and sits first.

    promised: {scheme, seedHash}; table: {teams, dealing}. What these are, `noteOf` says. */
export function promiseAlone({ scheme, seedHash }, { teams, dealing }, hash) {
  return { scheme, seedHash, hashes: teams.map((_, place) => (place ? "" : hash)), teams, dealing, place: 0 };
}

/** What was noted of a match, or null: {promise, share, told, hands}.

    promise: as shown before the share was told, {scheme, seedHash, hashes, teams, dealing, place}; told: whether the
    server has said that it has the share; hands: by the number of the shuffle and the seat {card: moves}, how many
    moves there were when the card was first seen in the seat's hand. */
export function noteOf(code) {
  return read(STORE, MATCHES, {})[code] ?? null;
}

/** Note more of a match. What is noted already stays. */
export function note(code, more) {
  put(code, { ...more, ...noteOf(code) });
}

function put(code, noted) {
  const { [code]: known, ...others } = read(STORE, MATCHES, {});
  write(STORE, MATCHES, Object.fromEntries([...Object.entries(others), [code, noted]].slice(-KEPT)));
}

/** Note the hand of a seat in a deal, after so many moves. */
export function noteHand(code, { deal, seat, cards, moves }) {
  const hands = noteOf(code)?.hands ?? {};
  const known = hands[deal]?.[seat] ?? {};
  const fresh = cards.filter((card) => !Object.hasOwn(known, card));
  if (!fresh.length) return;
  const hand = { ...known, ...Object.fromEntries(fresh.map((card) => [card, moves])) };
  put(code, { ...noteOf(code), hands: { ...hands, [deal]: { ...hands[deal], [seat]: hand } } });
}

const kept = (hash) => read(STORE, SHARES, []).find((each) => hash && each.hash === hash);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function hex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
