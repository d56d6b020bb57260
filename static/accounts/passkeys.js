// Says in words what went wrong with a passkey: allauth's script tells it by an event, and else only the console.

const SENTENCES = {
  NotAllowedError: "No passkey was used. You can try again.",
  InvalidStateError: "This passkey is already registered here.",
  SecurityError: "Passkeys only work over https or on localhost.",
  NotSupportedError: "This device can't create this kind of passkey.",
};

document.addEventListener("allauth.error", (event) => {
  const place = document.getElementById("passkey-error");
  const sentence = globalThis.PublicKeyCredential
    ? SENTENCES[event.detail.exception.name]
    : "Passkeys aren't available in this browser. They only work over https or on localhost.";
  if (sentence) event.preventDefault(); // else the console hears of it too
  place.textContent = sentence ?? "That didn't work. Reload the page and try again.";
  place.hidden = false;
});
