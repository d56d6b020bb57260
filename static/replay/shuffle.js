/* Shuffles every deal of a finished match again, as the page describes, and says whether the decks are the same. */

const SPAN = 2 ** 32;

/** `items` in the order of shuffle `number`. match: {scheme, code, entropies}; key: the seed, as a CryptoKey. */
export async function shuffled(items, match, key, number) {
  const result = [...items];
  const next = integers([match.scheme, match.code, number, match.entropies.join(",")].join("\n"), key);
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

/** The SHA-256 of a seed, in hex. */
export async function commitment(seed) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(seed)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(hex) {
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error("The seed is not in hex digits.");
  return Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
}

/** The numbers of the seats in the order of sitting down: the lot, or with partners the first left of one's side. */
function drawnNumbers(lot, teams) {
  if (teams.includes(null)) return lot;
  const left = [...lot];
  return teams.map((team) => {
    const place = left.findIndex((number) => (number - lot[0] + team - teams[0]) % 2 === 0);
    return left.splice(place, 1)[0];
  });
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

async function verify(panel, match) {
  const words = document.getElementById("verdict-words");
  if (!globalThis.crypto?.subtle) {
    words.textContent = "Your browser checks shuffles only on pages that came over https, or from this computer itself.";
    return;
  }
  let wrong = 0;
  const report = (name, ok) => {
    const line = panel.querySelector(`[data-check="${name}"]`);
    line.classList.add(ok ? "right" : "wrong");
    line.querySelector("[data-verdict]").textContent = ok ? ": verified" : ": wrong";
    wrong += !ok;
  };
  words.textContent = "Shuffling every deck again…";
  const key = await keyOf(match.seed).catch(() => null);
  const again = async (items, number) => key && (await shuffled(items, match, key, number));
  report("commitment", key !== null && (await commitment(match.seed)) === match.commitment);
  const lot = await again(match.seats.map((_, seat) => seat), 0);
  report("lot", key !== null && same(drawnNumbers(lot, match.teams), match.seats));
  for (const { number, pack, deck } of match.deals) report(number, same(await again(pack, number), deck));
  panel.classList.add(wrong ? "wrong" : "right");
  words.textContent = wrong
    ? `Not as promised: ${wrong} of ${match.deals.length + 2} checks failed. Please tell whoever runs this site.`
    : `All as promised: the seats and all ${match.deals.length} decks follow from the seed.`;
}

const panel = document.querySelector("[data-verify]");
if (panel) verify(panel, JSON.parse(document.getElementById("shuffle-data").textContent));
