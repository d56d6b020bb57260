// Shortcuts on the keyboards of all readers: a letter is meant by what is printed on its key, also with Caps Lock on; on
// keyboards without Latin letters, and for digits and brackets, by the place of its key. AltGr and Option make signs.

const BRACKETS = { BracketLeft: "[", BracketRight: "]" };
const SIGNS = "[]?";

/** The name of the key that is pressed: "s", "M" with Shift, "2", "[", "ArrowLeft"; "" if it belongs to the browser. */
export function keyName(event) {
  const { key = "", code = "", ctrlKey, altKey, metaKey, shiftKey } = event;
  const isSign = SIGNS.includes(key);
  if (metaKey || event.isComposing || ((ctrlKey || altKey) && !(isSign && altKey))) return "";
  if (isSign || /^\d$/.test(key) || (key.length > 1 && key !== "Dead")) return key;
  if (/^[a-z]$/i.test(key)) return shiftKey ? key.toUpperCase() : key.toLowerCase();
  return atPlace(code, shiftKey) || key;
}

function atPlace(code, shiftKey) {
  const [, letter, digit] = code.match(/^Key([A-Z])$|^Digit(\d)$/) ?? [];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return shiftKey ? "" : (digit ?? BRACKETS[code] ?? "");
}

/** Whether a key writes a character, so that those who speak to their device may have to turn it off. */
export const isCharacter = (name) => name.length === 1;

/** What is printed on the reader's key for a sign of ours. layout: codes of keys with what they write, or nothing. */
export function printed(sign, layout = new Map()) {
  const signs = [...layout.values()];
  if (!signs.length || signs.includes(sign)) return sign;
  const bracket = Object.keys(BRACKETS).find((code) => BRACKETS[code] === sign);
  const code = bracket ?? (/^[a-z]$/.test(sign) ? `Key${sign.toUpperCase()}` : "");
  return layout.get(code) ?? sign;
}

/** Write on each <kbd> within an element what is printed on the reader's own key, where the browser tells it. */
export async function showOwnKeys(element) {
  const layout = await navigator.keyboard?.getLayoutMap?.().catch(() => null);
  if (!layout) return;
  for (const key of element.querySelectorAll("kbd")) key.textContent = printed(key.textContent, layout);
}
