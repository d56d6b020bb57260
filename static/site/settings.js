// What somebody prefers on this device. A control with data-setting="name" shows one and changes it.
//
// How the page looks (theme, deck, letters) is kept in cookies, so that the server writes it into <html> and no page flashes;
// how it behaves is kept in the browser alone.

const DEFAULTS = {
  taps: "auto", // to play a card or a bid: one with a mouse, two by touch
  hold: "normal",
  sound: "normal", // how loud
  keys: "on",
  preselect: "off", // a card or a pass before one's turn
  grace: "off", // before a move is sent: a second in which it can be taken back
  notify: "off", // whether the browser shows what happens while nobody sees the page
  push: "off", // the user who has turned push messages on here
  forced: "off", // whether the last card of a hand is played by itself
};
const LOOKS = ["theme", "deck", "letters"];
const YEAR = 365 * 24 * 3600;

const onThisPage = {}; // what the browser does not keep, because its storage is forbidden or full

/** The value of a preference of behaviour. */
export function setting(name) {
  return onThisPage[name] ?? stored(name) ?? DEFAULTS[name];
}

function stored(name) {
  try {
    return localStorage.getItem(`valat.${name}`);
  } catch {
    return null;
  }
}

function store(name, value) {
  try {
    localStorage.setItem(`valat.${name}`, value);
    delete onThisPage[name];
  } catch {
    onThisPage[name] = value;
  }
}

/** Prefer something else from now on. */
export function change(name, value) {
  if (LOOKS.includes(name)) {
    if (value) document.documentElement.setAttribute(`data-${name}`, value);
    else document.documentElement.removeAttribute(`data-${name}`);
    document.cookie = `${name}=${value}; path=/; max-age=${value ? YEAR : 0}; samesite=lax`;
  } else {
    store(name, value);
  }
}

function fill() {
  for (const control of document.querySelectorAll("[data-setting]")) {
    const name = control.dataset.setting;
    const look = document.documentElement.getAttribute(`data-${name}`) ?? "";
    control.value = LOOKS.includes(name) ? look : setting(name);
  }
  for (const place of document.querySelectorAll("[data-settings]")) place.hidden = false;
  for (const place of document.querySelectorAll("[data-not-kept]")) place.hidden = !Object.keys(onThisPage).length;
}

document.addEventListener("change", ({ target }) => {
  if (!target.dataset.setting) return;
  change(target.dataset.setting, target.value);
  fill();
});
document.addEventListener("page:drawn", fill);
fill();
