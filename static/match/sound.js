// Short quiet sounds, made here out of the recipes in tones.js. Nothing sounds before the first click or key, as browsers
// want it, nor when the volume is off. Each change of the volume is heard.

import { setting } from "../site/settings.js";
import { Mixer } from "./cues.js";
import { SOUNDS } from "./tones.js";

const LOUDNESS = { low: 0.025, normal: 0.06, loud: 0.14 };
const NOISE = 0.2; // seconds of it, more than any rush takes
const SWELL = 0.008; // seconds until a sound is at its loudest

const mixer = new Mixer();
let context = null;
let noise = null;

for (const type of ["click", "keydown"]) {
  document.addEventListener(type, () => (context ??= new AudioContext()), { once: true });
}

document.addEventListener("change", ({ target }) => {
  if (target.dataset.setting === "sound") play("turn");
});

/** Play a sound by name, if there may be any: at once, or as soon as the last one has been heard. */
export function play(name) {
  if (!context || setting("sound") === "off") return;
  const delay = mixer.ask(name, performance.now());
  if (delay !== null) setTimeout(() => sound(mixer.take(performance.now())), delay);
}

function sound(name) {
  const loudness = LOUDNESS[setting("sound")] ?? 0;
  for (const part of SOUNDS[name]) {
    const start = context.currentTime + part.at;
    const end = start + part.length;
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(loudness * (part.loud ?? 1), start + SWELL);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    volume.connect(context.destination);
    const source = part.rush ? rush(part.pitch, volume) : tone(part.pitch, volume);
    source.start(start);
    source.stop(end);
  }
}

function tone(frequency, volume) {
  const source = new OscillatorNode(context, { type: "triangle", frequency });
  source.connect(volume);
  return source;
}

function rush(frequency, volume) {
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.9 });
  const source = new AudioBufferSourceNode(context, { buffer: (noise ??= makeNoise()) });
  source.connect(filter).connect(volume);
  return source;
}

function makeNoise() {
  const buffer = new AudioBuffer({ length: NOISE * context.sampleRate, sampleRate: context.sampleRate });
  buffer.copyToChannel(
    Float32Array.from({ length: buffer.length }, () => 2 * Math.random() - 1),
    0,
  );
  return buffer;
}
