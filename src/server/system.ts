import { randomBytes } from 'node:crypto';
import type { Clock, Random } from '#core/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would make the first characters of the alphabet likelier than the rest. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

export const systemRandom: Random = {
  unit: () => Math.random(),
  alphanumeric(length) {
    let text = '';
    while (text.length < length) {
      for (const byte of randomBytes(length - text.length + 8)) {
        if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length];
      }
    }
    return text;
  },
};
