// Says in words what went wrong with a passkey: allauth's script tells it by an event, and else only the console.

const SENTENCES = {
  NotAllowedError: "No passkey was used. You can try again.",
  InvalidStateError: "This passkey is registered here already.",
  SecurityError: "Passkeys work over https and on localhost only.",
  NotSupportedError: "This device can't make such a passkey.",
};

document.addEventListener("allauth.error", (event) => {
  const place = document.getElementById("passkey-error");
  const sentence = globalThis.PublicKeyCredential
    ? SENTENCES[event.detail.exception.name]
    : "This browser knows no passkeys here: they work over https and on localhost only.";
  if (sentence) event.preventDefault(); // else the console hears of it too
  place.textContent = sentence ?? "That did not work. Reload the page and try again.";
  place.hidden = false;
});
