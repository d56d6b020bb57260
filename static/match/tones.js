// What the sounds of the table are made of: each a few tones, or short rushes of noise like paper on cloth.
//
// at, length: seconds. pitch: in hertz, of a rush the middle of what is heard. loud: times the usual, 1 where it is not
// said.

const TICK = 0.05;

export const SOUNDS = {
  card: [{ rush: true, pitch: 1900, at: 0, length: 0.07 }],
  deal: [0, 0.07, 0.14].map((at) => ({ rush: true, pitch: 2600, at, length: TICK, loud: 0.8 })),
  trick: [
    { rush: true, pitch: 1100, at: 0, length: 0.16 },
    { pitch: 392, at: 0.04, length: 0.2, loud: 0.5 },
  ],
  bid: [
    { rush: true, pitch: 900, at: 0, length: TICK },
    { pitch: 587, at: 0, length: 0.09, loud: 0.4 },
  ],
  turn: [
    { pitch: 659, at: 0, length: 0.16 },
    { pitch: 880, at: 0.12, length: 0.17 },
  ],
  hurry: [
    { pitch: 523, at: 0, length: 0.1 },
    { pitch: 523, at: 0.16, length: 0.12 },
  ],
  result: [
    { pitch: 523, at: 0, length: 0.14, loud: 0.7 },
    { pitch: 440, at: 0.1, length: 0.18, loud: 0.7 },
  ],
  win: [
    { pitch: 523, at: 0, length: 0.3 },
    { pitch: 659, at: 0.13, length: 0.3 },
    { pitch: 784, at: 0.26, length: 0.3 },
    { pitch: 1047, at: 0.39, length: 0.5 },
  ],
};
