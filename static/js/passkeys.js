// Says in words what went wrong with a passkey: allauth's script tells it by an event, and else only the console.

const SENTENCES = {
  NotAllowedError: "No passkey was used. You can try again.",
  InvalidStateError: "This passkey is registered here already.",
  SecurityError: "Passkeys work over https and on localhost only.",
  NotSupportedError: "This device can't make such a passkey.",
};

document.addEventListener("allauth.error", (event) => {
  const { exception } = event.detail;
  const place = document.getElementById("passkey-error");
  if (!place) return;
  event.preventDefault();
  place.textContent = globalThis.PublicKeyCredential
    ? SENTENCES[exception.name] ?? "That did not work. Reload the page and try again."
    : "This browser knows no passkeys here: they work over https and on localhost only.";
  place.hidden = false;
});
