// The choice of a language takes effect when it is made; the button of its form is for who has no scripts.

document.addEventListener("change", ({ target }) => target.closest("form[data-language]")?.requestSubmit());
