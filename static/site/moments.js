// Moments in words, as accounts/time_zones.py writes them.

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

// By their names there: the day, and whether the time follows.
const FORMS = {
  moment: [{ day: "numeric", month: "short", year: "numeric" }, true],
  message: [{ day: "numeric", month: "short" }, true],
  end: [{ day: "numeric", month: "long" }, true],
  start: [{ weekday: "long", day: "numeric", month: "long", year: "numeric" }, true],
  day: [{ day: "numeric", month: "long", year: "numeric" }, false],
  day_of_year: [{ day: "numeric", month: "long" }, false],
};

/** A moment in words, in one of the forms. language: as pages have it, whose English is written day first. */
export function inWords(date, form, language, timeZone) {
  const [day, hasTime] = FORMS[form];
  const locale = language === "en" ? "en-GB" : language;
  const write = (options) => new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(date);
  return hasTime ? `${write(day)}, ${write(CLOCK)}` : write(day);
}
