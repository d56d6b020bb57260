// Texts of the tally that works without a network. Scripts have them in English, and the page brings their
// translations: games/pages/offline.py finds every text that is an argument of these functions.

const translations = {};

/** Learn translations: by the English text, with its context before "|" if it has one; plural forms as an object. */
export const learn = (more) => Object.assign(translations, more);

const fill = (text, places) => text.replace(/\{(\w+)\}/g, (place, name) => places[name] ?? place);

/** A text that is translated later, as an argument of say(). */
export const word = (text) => text;

export const say = (text, places = {}) => fill(translations[text] ?? text, places);

export const sayIn = (context, text) => translations[`${context}|${text}`] ?? text;

/** A text in the form for a number, which is at {number}. */
export function sayCount(number, one, many, places = {}) {
  const forms = translations[many] ?? { one, other: many };
  const rules = new Intl.PluralRules(globalThis.document?.documentElement.lang ?? "en");
  return fill(forms[rules.select(number)] ?? forms.other, { ...places, number });
}

/** "Ana and Boris", "Ana, Boris and Vera". */
export function joinWords(words) {
  const others = words.slice(0, -1);
  return others.length ? say("{others} and {last}", { others: others.join(", "), last: words.at(-1) }) : (words[0] ?? "");
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
