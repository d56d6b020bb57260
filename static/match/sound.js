// Short quiet tones, made here. Nothing sounds before the first click or key, as browsers want it, nor when muted.

import { setting } from "../site/settings.js";

const TONES = {
  turn: [
    [659, 0],
    [880, 0.12],
  ],
  hurry: [[523, 0]],
};
const LOUDNESS = 0.06;
const LENGTH = 0.35; // seconds

let context = null;

for (const type of ["click", "keydown"]) {
  document.addEventListener(type, () => (context ??= new AudioContext()), { once: true });
}

/** Play a tone by name, if there may be sound. */
export function play(name) {
  if (!context || setting("sound") === "off") return;
  for (const [frequency, delay] of TONES[name]) {
    const start = context.currentTime + delay;
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}
