// Panels that lie over the page and close with Back, as a page would: one entry of the history stands for all of them.
// It knows no page.

export class Panels {
  #open = new Map(); // panel -> what closes it, the topmost last
  #history;
  #marked; // whether the present entry is ours. It stays when its panel is closed otherwise, and serves the next one.

  /** history: {push, back}, which add an entry of ours and go back by one. marked: whether the present one is ours. */
  constructor(history, marked = false) {
    this.#history = history;
    this.#marked = marked;
  }

  opened(panel, close) {
    this.#open.set(panel, close);
    this.#mark();
  }

  closed(panel) {
    this.#open.delete(panel);
  }

  /** Back or Forward has led to another entry of this page. marked: whether that is ours. */
  popped(marked) {
    const left = this.#marked && !marked;
    this.#marked = marked;
    if (!left) return;
    const [panel, close] = [...this.#open].at(-1) ?? [];
    if (!panel) {
      this.#history.back(); // nothing was open: Back was meant for the page
      return;
    }
    this.#open.delete(panel);
    close();
    if (this.#open.size) this.#mark();
  }

  #mark() {
    if (this.#marked) return;
    this.#history.push();
    this.#marked = true;
  }
}
