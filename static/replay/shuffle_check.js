/* Whether the shuffles of a finished match are what was promised: all that can be checked without a page.

   `match` is what the server publishes of it (published() in games/history/verification.py), `note` what this browser
   noted at the table (site/notes.js), or null. */

const SPAN = 2 ** 32;
const SCHEME = "valat-shuffle-2";

/** What was found: a Map from the name of each check to true, false, or null where there is nothing to compare with.
    The names: "seed", "shares", "lot", "notes", "hands", and the number of each deck. */
export async function check(match, note) {
  const key = match.scheme === SCHEME ? await keyOf(match.seed).catch(() => null) : null;
  const found = new Map();
  const again = async (items, number) => key && (await shuffled(items, match, key, number));
  found.set("seed", key !== null && (await commitment(match.seed)) === match.seed_hash);
  found.set("shares", await sharesKept(match));
  const lot = await again(match.seats.map((_, place) => place), 0);
  found.set("lot", key !== null && same(drawnSeats(lot, match), match.seats));
  found.set("notes", asNoted(match, note));
  const deals = dealt(match);
  found.set("hands", handsAsDealt(match, deals, note));
  for (const [index, { number, deck }] of match.deals.entries()) {
    const right = number === index + 1 && same([...deck].sort(), [...deals[index].pack].sort());
    found.set(index + 1, right && same(await again(deals[index].pack, number), deck));
  }
  return found;
}

/** What no check of a match can say: {withheld, unseen}, how many shares were committed to and not given, and the
    numbers of the decks of which this browser was not shown all cards that were dealt to its seat. */
export function gaps(match, note) {
  const own = match.seats[note?.promise?.place];
  const deals = dealt(match);
  const isUnseen = ({ number, deck }) => {
    const seen = note?.hands?.[number]?.[own] ?? {};
    return deck.some((card, index) => deals[number - 1].to[index] === own && !Object.hasOwn(seen, card));
  };
  return {
    withheld: match.entropy_hashes.filter((hash, place) => hash && !match.entropies[place]).length,
    unseen: match.deals.filter(isUnseen).map(({ number }) => number),
  };
}

/** `items` in the order of shuffle `number`. key: the seed, as `keyOf` makes it. */
export async function shuffled(items, match, key, number) {
  const result = typeof items[0] === "number" ? [...items] : [...items].sort();
  const shares = match.entropies.filter(Boolean).sort();
  const next = integers([SCHEME, number, shares].join("\n"), key);
  for (let last = result.length - 1; last > 0; last--) {
    const limit = SPAN - (SPAN % (last + 1));
    let drawn;
    do drawn = await next();
    while (drawn >= limit);
    drawn %= last + 1;
    [result[last], result[drawn]] = [result[drawn], result[last]];
  }
  return result;
}

function integers(prefix, key) {
  let block = 0;
  let waiting = [];
  return async () => {
    if (!waiting.length) {
      const text = new TextEncoder().encode(`${prefix}\n${block++}`);
      const bytes = new DataView(await crypto.subtle.sign("HMAC", key, text));
      waiting = Array.from({ length: 8 }, (_, place) => bytes.getUint32(4 * place));
    }
    return waiting.shift();
  };
}

/** The seed (hex) as a key for `shuffled`. */
export function keyOf(seed) {
  return crypto.subtle.importKey("raw", bytesOf(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** The SHA-256 of a seed or a share, in hex. */
export async function commitment(secret) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(secret)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(hex) {
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error("Not in hex digits.");
  return Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
}

/** Whether everybody gave what they had committed themselves to, or nothing. */
async function sharesKept({ entropies, entropy_hashes }) {
  const hashes = await Promise.all(entropies.map((share) => (share ? commitment(share).catch(() => null) : "")));
  return hashes.every((hash, place) => !entropies[place] || hash === entropy_hashes[place]);
}

/** The seats by place: in their order everybody takes the first left, with partners the first left of their side. */
function drawnSeats(lot, { teams, entropies }) {
  const order = [...teams.keys()].sort((one, other) => before(entropies[one], entropies[other]) || one - other);
  const left = [...lot];
  const seats = [];
  for (const place of order) {
    const side = (number) => (number - lot[0] + teams[place] - teams[order[0]]) % 2 === 0;
    seats[place] = left.splice(teams.includes(null) ? 0 : left.findIndex(side), 1)[0];
  }
  return seats;
}

/** Which of two shares comes first: the lesser one, and nothing last. */
function before(one, other) {
  if (one === other) return 0;
  return one && (!other || one < other) ? -1 : 1;
}

/** Whether the server says now what this browser noted before it told its share, which was used. Null if the share was
    not, and the server has never said that it had it: then this browser can vouch for nothing. */
function asNoted(match, note) {
  if (!note?.promise) return null;
  const { scheme, seedHash, hashes, teams, dealing, place } = note.promise;
  const sides = (each) => each.map((team) => team !== null && (team + each[0]) % 2);
  const kept =
    scheme === match.scheme &&
    seedHash === match.seed_hash &&
    same(hashes, match.entropy_hashes) &&
    same(sides(teams), sides(match.teams)) &&
    same(dealing, match.dealing);
  if (kept && !match.entropies[place] && !note.told) return null;
  return kept && match.entropies[place] === note.share;
}

/** By deck the pack that is shuffled, and `to`: for each place the seat that gets its card, null where it stays.
    What a match's `dealing` means, games/kit/contract.py says. */
function dealt({ dealing, deals, seats }) {
  const shuffles = dealing.parts.length ? 2 : 1; // of each deal
  return deals.map((_, index) => {
    const deal = Math.floor(index / shuffles);
    const last = index % shuffles === shuffles - 1;
    const parted = last && shuffles > 1 ? deals[index - 1].deck : null;
    const first = ([count, cards]) => parted.filter((card) => cards.includes(card)).slice(0, count);
    const pack = parted ? [...dealing.parts.flatMap(first), ...dealing.added] : dealing.pack;
    const to = pack.map(() => null);
    if (last) {
      const turns = dealing.packets[deal % dealing.packets.length].flatMap((cards) =>
        seats.flatMap((seat, turn) => Array(cards).fill((deal + turn) % seats.length)),
      );
      to.splice(0, turns.length, ...turns);
    }
    return { pack, to };
  });
}

/** Whether all cards that this browser was shown in a hand were dealt to its seat, or drawn after the deal. */
function handsAsDealt(match, deals, note) {
  const hands = Object.entries(note?.hands ?? {});
  if (!hands.length) return null;
  return hands.every(([number, bySeat]) => {
    const { deck, moves: dealtAt } = match.deals[number - 1] ?? {};
    if (!deck) return false;
    const { to } = deals[number - 1];
    const rest = to.indexOf(null);
    return Object.entries(bySeat).every(([seat, cards]) =>
      Object.entries(cards).every(([card, moves]) => {
        const place = deck.indexOf(card);
        if (to[place] !== null) return to[place] === Number(seat);
        // Who draws discards before the next one draws, so two moves come before for each card before it.
        return match.dealing.draws && place - rest <= (moves - dealtAt - 1) / 2;
      }),
    );
  });
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
