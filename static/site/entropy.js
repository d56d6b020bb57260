// Fields with data-entropy get this browser's share in the shuffles when their form is sent.

const BYTES = 16;

document.addEventListener(
  "submit",
  ({ target }) => {
    for (const field of target.elements) {
      if (!("entropy" in field.dataset) || field.value) continue;
      field.value = [...crypto.getRandomValues(new Uint8Array(BYTES))]
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("");
    }
  },
  true,
);
