/* Whether the shuffles of a finished match are what was promised: all that can be checked without a page.

   `match` is what the server publishes of it (published() in games/history/verification.py), `note` what this browser
   noted at the table (site/notes.js), or null. */

const SPAN = 2 ** 32;
const FIRST_SCHEME = "valat-shuffle-1";

/** What was found: a Map from the name of each check to true, false, or null where there is nothing to compare with.
    The names: "seed", "shares", "lot", "notes", "hands", and the number of each deck. */
export async function check(match, note) {
  const key = await keyOf(match.seed).catch(() => null);
  const found = new Map();
  const again = async (items, number) => key && (await shuffled(items, match, key, number));
  found.set("seed", key !== null && (await commitment(match.seed)) === match.seed_hash);
  found.set("shares", match.scheme === FIRST_SCHEME || (await sharesKept(match)));
  const lot = await again(match.seats.map((_, place) => place), 0);
  found.set("lot", key !== null && same(drawnSeats(lot, match), match.seats));
  found.set("notes", asNoted(match, note));
  found.set("hands", handsAsDealt(match, note));
  for (const { number, pack, deck } of match.deals) {
    // By the second scheme the pack is sorted, so nobody can choose an order of it afterwards.
    const items = match.scheme === FIRST_SCHEME ? pack : deck;
    found.set(number, same(await again(items, number), deck));
  }
  return found;
}

/** `items` in the order of shuffle `number`. key: the seed, as `keyOf` makes it. */
export async function shuffled(items, match, key, number) {
  const first = match.scheme === FIRST_SCHEME;
  const result = first || typeof items[0] === "number" ? [...items] : [...items].sort();
  const shares = first ? match.entropies : match.entropies.filter(Boolean).sort();
  const lines = first ? [match.scheme, match.code, number, shares] : [match.scheme, number, shares];
  const next = integers(lines.join("\n"), key);
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
function drawnSeats(lot, { scheme, teams, entropies }) {
  const order = [...teams.keys()];
  if (scheme !== FIRST_SCHEME) order.sort((one, other) => before(entropies[one], entropies[other]) || one - other);
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

/** Whether the server says now what this browser noted before it told its share, which it used. */
function asNoted(match, note) {
  if (!note?.promise) return null;
  const { seedHash, hashes, teams, place } = note.promise;
  const sides = (each) => each.map((team) => team !== null && (team + each[0]) % 2);
  return (
    seedHash === match.seed_hash &&
    same(hashes, match.entropy_hashes) &&
    same(sides(teams), sides(match.teams)) &&
    match.entropies[place] === (note.late ? "" : note.share)
  );
}

/** Whether each hand that this browser was shown came from the deck of its deal, dealt out in turn. */
function handsAsDealt(match, note) {
  const hands = Object.entries(note?.hands ?? {});
  if (!hands.length) return null;
  const own = note.promise && match.seats[note.promise.place];
  return hands.every(([number, { seat, cards, moves }]) => {
    const deal = match.deals[number - 1];
    if (!deal || !isDealtInTurn(deal.dealt_to, match.seats.length) || (own ?? seat) !== seat) return false;
    const drawn = moves > deal.moves; // of what was not dealt, players may have taken cards since
    const places = deal.dealt_to.map((to) => to === seat || (drawn && to === null));
    return cards.every((card) => places[deal.deck.indexOf(card)]);
  });
}

/** Whether a deck goes round and round, everybody getting as many cards at a time as the others, until the rest. */
function isDealtInTurn(dealtTo, seats) {
  const rest = dealtTo.indexOf(null);
  const dealt = rest < 0 ? dealtTo : dealtTo.slice(0, rest);
  if (dealtTo.slice(dealt.length).some((to) => to !== null)) return false;
  const turns = []; // [seat, how many cards at a time]
  for (const [place, to] of dealt.entries()) {
    if (place && to === dealt[place - 1]) turns.at(-1)[1] += 1;
    else turns.push([to, 1]);
  }
  return (
    turns.length % seats === 0 &&
    turns.every(([to, cards], turn) => to === (turns[0][0] + turn) % seats && cards === turns[turn - (turn % seats)][1])
  );
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
