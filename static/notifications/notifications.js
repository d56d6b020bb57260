// The page of notifications: what this browser does, switched on and off by clicks.

import { change, setting } from "../site/settings.js";
import { sentence } from "../site/sentences.js";
import { allowed, canNotify, canPush, subscribe, subscription, unsubscribe, worker } from "./browser.js";

const form = document.getElementById("push-form");

class Switch {
  constructor(name, { usable, isOn, turn }) {
    this.state = document.getElementById(`${name}-state`);
    this.button = document.getElementById(`${name}-switch`);
    if (!this.button) return;
    Object.assign(this, { usable, isOn, turn });
    this.button.addEventListener("click", () => this.click());
    this.show();
  }

  async show(failed = "") {
    const denied = this.usable() && Notification.permission === "denied";
    const on = this.usable() && !denied && (await this.isOn());
    this.state.textContent = sentence(!this.usable() ? "unsupported" : denied ? "denied" : failed || (on ? "on" : "off"));
    this.button.hidden = !this.usable() || denied;
    this.button.textContent = this.button.dataset[on ? "off" : "on"];
    this.on = on;
  }

  async click() {
    this.button.disabled = true;
    let failed = "";
    try {
      if (this.on || (await allowed())) await this.turn(!this.on);
    } catch {
      failed = "failed";
    }
    this.button.disabled = false;
    await this.show(failed);
  }
}

new Switch("hidden", {
  usable: canNotify,
  isOn: () => setting("notify") === "on" && Notification.permission === "granted",
  async turn(on) {
    change("notify", on ? "on" : "off");
    if (on && navigator.serviceWorker) await worker(); // phones show messages by it only
  },
});

async function listed() {
  const found = canPush() ? await subscription() : null;
  return found && [...document.querySelectorAll("[data-endpoint]")].find((line) => line.dataset.endpoint === found.endpoint);
}

new Switch("push", {
  usable: canPush,
  isOn: async () => Boolean(await listed()),
  async turn(on) {
    if (on) {
      for (const [name, value] of Object.entries(await subscribe(form.dataset.publicKey))) form.elements[name].value = value;
      change("push", document.body.dataset.reader);
      form.submit();
    } else {
      change("push", "off");
      const line = await listed();
      await unsubscribe();
      line.querySelector("form[action$='remove/']").submit();
    }
  },
});

document.querySelector("[data-needs-scripts]").hidden = false;
listed().then((line) => {
  if (line) line.querySelector(".this-browser").hidden = false;
});
