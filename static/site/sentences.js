// What scripts say, in the words that the page hands over: games/pages/sentences.py has them all.

const sentences = {};
for (const { textContent } of document.querySelectorAll('script[id^="sentences-"]')) {
  Object.assign(sentences, JSON.parse(textContent));
}
const plurals = new Intl.PluralRules(document.documentElement.lang);

/** A sentence by its name. places: what belongs in its {places}; `count` decides between plural forms. */
export function sentence(name, places = {}) {
  return partsOf(name, places).join("");
}

/** The same as a list of what it is made of: places may be elements. */
export function partsOf(name, places = {}) {
  const found = sentences[name];
  const words = typeof found === "string" ? found : (found[plurals.select(places.count)] ?? found.other);
  return words.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? places[part] : part));
}

/** Words by what they belong to, in their order: pairs. */
export const listed = (name) => Object.entries(sentences[name]);
