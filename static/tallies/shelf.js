// The tallies that this device keeps, and the entries that it has not sent yet: in IndexedDB, in the order of entry.
//
// A tally is {id, code, key, owner, game, version, seats, options, names, entries, writers, totals, problem}. `code` is
// empty until the site has it, `owner` is the number of the user whose it is, null if nobody was logged in. An entry is
// {number, tally, id, kind, deal, body, seen}. No clock counts: the numbers of entries are their order.

const NAME = "valat.tallies";
const OWNER = "valat.tallies"; // in localStorage: whose copies are here, so that other pages need not look

const MOST_COPIES = 20; // beside those that are not sent

/** Tells other pages of this browser that something has changed. */
export const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : new EventTarget();

let opening;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener("upgradeneeded", () => {
      request.result.createObjectStore("tallies", { keyPath: "id" });
      request.result.createObjectStore("entries", { keyPath: "number", autoIncrement: true });
    });
    request.addEventListener("success", () => {
      request.result.addEventListener("close", () => (opening = undefined)); // Somebody has cleared the storage.
      resolve(request.result);
    });
    request.addEventListener("error", () => reject(request.error));
  });
  opening.catch(() => (opening = undefined));
  return opening;
}

// Browsers keep pages that were left, Safari with their transactions: all others wait for those, as the answers come only if
// somebody comes back. So a transaction here commits without its answers. One that needs them ends when the page is left.
const asking = new Set();
addEventListener("pagehide", () => asking.forEach((transaction) => transaction.abort()));

/** Carry out what `work` asks of the stores. Resolves once it is on the disk, and rejects if there is no room. */
const change = (work) =>
  transact((kept, entries, commit) => {
    work(kept, entries);
    commit();
  });

/** The same for work that needs answers, and calls `commit` after the last one. */
async function transact(work) {
  const database = await open();
  await new Promise((resolve, reject) => {
    const transaction = database.transaction(["tallies", "entries"], "readwrite", { durability: "strict" });
    asking.add(transaction);
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => {
      asking.delete(transaction);
      opening = undefined; // Firefox closes a database that has no room, without an event.
      reject(transaction.error ?? new Error("The page was left before its entry was kept."));
    });
    work(transaction.objectStore("tallies"), transaction.objectStore("entries"), () => {
      asking.delete(transaction);
      transaction.commit();
    });
  });
  channel.postMessage?.("changed");
}

async function all(store) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store);
    const request = transaction.objectStore(store).getAll();
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
    transaction.commit();
  });
}

/** All tallies, the latest first, each with its unsent entries as `unsent`. */
export async function tallies() {
  const [kept, entries] = await Promise.all([all("tallies"), all("entries")]);
  return kept
    .map((tally) => ({ ...tally, unsent: entries.filter((entry) => entry.tally === tally.id) }))
    .sort((one, other) => other.place - one.place);
}

/** The tally of an address: a code of the site, or an id of this device. */
export const tallyOf = async (name) => (await tallies()).find(({ id, code }) => name && (name === code || name === id));

export const hasUnsent = ({ code, unsent }) => !code || unsent.length > 0;

/** Keep a tally, and the latest of the others. `unsent` belongs to its entries. */
export async function keep(tally) {
  const { unsent: _, ...record } = tally;
  await change((kept) => kept.put(record));
  remember(record.owner);
  const copies = (await tallies()).filter((each) => !hasUnsent(each) && each.id !== record.id);
  await Promise.all(copies.slice(MOST_COPIES).map(remove));
}

/** Keep an entry of a tally until it is sent. If somebody has cleared the storage, keep again what this page shows. */
export function add(tally, entry) {
  const { unsent, ...record } = tally;
  return transact((kept, entries, commit) => {
    kept.getKey(record.id).addEventListener("success", ({ target }) => {
      if (target.result === undefined) {
        kept.put(record);
        for (const each of unsent) entries.put(each);
      }
      entries.add({ ...entry, tally: record.id });
      commit();
    });
  });
}

export const replace = (changed) => change((_, entries) => changed.forEach((entry) => entries.put(entry)));

/** Keep what the site says of a tally, without the entries that it has now. */
export async function settle(tally, known) {
  const { unsent, ...record } = tally;
  await change((kept, entries) => {
    kept.put(record);
    for (const { id, number } of unsent) if (known.includes(id)) entries.delete(number);
  });
  remember(record.owner);
}

export const drop = (number) => change((_, entries) => entries.delete(number));

/** Remove a tally from this device, with what was not sent. */
export const remove = (tally) =>
  change((kept, entries) => {
    kept.delete(tally.id);
    for (const { number } of tally.unsent) entries.delete(number);
  });

/** Remove the copies of everybody but one user, except what was not sent yet. owner: their number, or null. */
export async function forgetOthers(owner) {
  const others = (await tallies()).filter((tally) => tally.owner !== owner && !hasUnsent(tally));
  await Promise.all(others.map(remove));
  remember(owner);
}

function remember(owner) {
  try {
    localStorage.setItem(OWNER, String(owner));
  } catch {
    // Other pages then look each time.
  }
}
