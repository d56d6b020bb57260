// Says in words what went wrong with a passkey: allauth's script tells it by an event, and else only the console.

import { sentence } from "../site/sentences.js";

const NAMES = {
  NotAllowedError: "none_used",
  InvalidStateError: "already_here",
  SecurityError: "not_secure",
  NotSupportedError: "not_by_device",
};

document.addEventListener("allauth.error", (event) => {
  const place = document.getElementById("passkey-error");
  const name = globalThis.PublicKeyCredential ? NAMES[event.detail.exception.name] : "not_by_browser";
  if (name) event.preventDefault(); // else the console hears of it too
  place.textContent = sentence(name ?? "failed");
  place.hidden = false;
});
