// Elements made by scripts.

/** An element with these properties and what is in it: elements and texts. */
export function make(tag, properties, ...inside) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
}
