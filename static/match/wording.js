// What a player is about to do, in words in place of the sentence above the hand, for as long as it is not done.

import { make } from "../site/elements.js";
import { partsOf, sentence } from "../site/sentences.js";

// What a tap on a card of the hand does, by the type of its move
const DOES = { play: ["again_to_play", "playing"], discard: ["again_to_discard", "discarding"] };

/** What a button plays or calls, in words. */
export function nameOf(button) {
  const name = button.querySelector("[aria-label]")?.ariaLabel;
  if (name) return name;
  const parts = [...button.children].filter((part) => part.matches(".hidden-text, b"));
  return (parts.length ? parts : [button]).map((part) => part.textContent.trim()).join(" ");
}

/** Say it. turn: whether it is the player's turn. */
export function showIntent({ lifted, chosen, held }, turn) {
  const place = document.getElementById("intent");
  if (!place) return;
  const button = document.getElementById(held ?? lifted ?? chosen);
  place.hidden = !button;
  if (!button) {
    place.replaceChildren();
    return;
  }
  const [again, doing] = (button.closest("#hand") && DOES[JSON.parse(button.value).type]) || ["again", "calling"];
  const name = held ? doing : !lifted ? "at_your_turn" : !turn ? "not_yet" : again;
  place.replaceChildren(...partsOf(name, { card: figure(button), call: figure(button) }));
  if (held) place.append(" ", undo());
}

/** A card as a scrap of paper with its rank and suit; anything else as the words on its button. */
function figure(button) {
  const face = button.closest("#hand") && button.querySelector(".face[data-card]");
  if (!face) return make("b", {}, nameOf(button));
  const scrap = make("i", { className: "mini", role: "img", ariaLabel: face.ariaLabel });
  Object.assign(scrap.dataset, face.dataset);
  return scrap;
}

const undo = () => make("button", { type: "button", id: "undo", className: "button small" }, sentence("undo"));
