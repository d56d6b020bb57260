// The choice of a language takes effect when it is made; its button is for who has no scripts.

for (const form of document.querySelectorAll("form[data-language]")) {
  form.querySelector("button").hidden = true;
  form.elements.language.addEventListener("change", () => form.requestSubmit());
}
