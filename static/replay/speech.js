// What those hear who listen to the page.

const PAUSE = 200; // milliseconds: of moves that follow each other quicker, the last is said

let timer = 0;

export function say(text) {
  clearTimeout(timer);
  if (!text) return;
  const region = document.getElementById("say");
  // The same words twice would not be read: a no-break space makes them others.
  timer = setTimeout(() => (region.textContent = region.textContent === text ? `${text}\u00a0` : text), PAUSE);
}
