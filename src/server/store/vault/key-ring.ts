import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type CipherKey, decryptWith, encryptWith } from './cipher.ts';

const KEY_BYTES = 32;
/** Stands before what the master key itself encrypts. */
const MASTER = 0;

/** A key that stored texts are encrypted with. */
export interface RingKey extends CipherKey {
  /** Texts are encrypted with it from then on; by then every node knows it. */
  readonly fromMs: number;
  /** It is also stored encrypted with the key before it, for nodes that began with an earlier master key. */
  readonly isPassedOn: boolean;
}

/**
 * The keys of a database. They follow from its first master key; once that was changed, they are stored, encrypted with
 * the master key of today.
 */
export interface KeyRing {
  /** Makes the keyed hashes that rows are found by, and much else that is never made again, so it never changes. */
  readonly lookup: Buffer;
  /** All there ever were, the newest last. */
  readonly keys: readonly RingKey[];
}

const stored = z.object({
  changedAtMs: z.number(),
  lookup: z.string(),
  keys: z
    .array(
      z.object({
        number: z.number(),
        fromMs: z.number(),
        byMaster: z.string(),
        byEarlier: z.string().optional(),
      }),
    )
    .min(1),
});
type Stored = z.infer<typeof stored>;

const parse = (text: string): Stored => stored.parse(JSON.parse(text));

const derived = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `tollgate ${purpose}`, KEY_BYTES));

/** What tells a master key from others, without telling it. */
export const checkOf = (master: Buffer, name: string): string =>
  createHmac('sha256', derived(master, 'check')).update(name).digest('base64url');

const masterCipher = (master: Buffer): CipherKey => ({ number: MASTER, key: derived(master, 'wrapping') });
const LOOKUP_PLACE = 'key-ring:lookup';
const placeOf = (number: number): string => `key-ring:${number}`;

/** The keys of a database whose master key was never changed. */
export const firstRing = (master: Buffer): KeyRing => ({
  lookup: derived(master, 'lookup'),
  keys: [{ number: 1, key: derived(master, 'encryption'), fromMs: 0, isPassedOn: false }],
});

const unwrapped = (by: CipherKey, sealed: string, place: string): Buffer =>
  Buffer.from(decryptWith([by], sealed, place), 'base64url');
const wrapped = (by: CipherKey, key: Buffer, place: string): string =>
  encryptWith(by, key.toString('base64url'), place);

/** A stored ring, by the master key that it was stored with. */
export const openRing = (text: string, master: Buffer): KeyRing => {
  const { lookup, keys } = parse(text);
  const by = masterCipher(master);
  return {
    lookup: unwrapped(by, lookup, LOOKUP_PLACE),
    keys: keys.map(({ number, fromMs, byMaster, byEarlier }) => ({
      number,
      fromMs,
      key: unwrapped(by, byMaster, placeOf(number)),
      isPassedOn: byEarlier !== undefined,
    })),
  };
};

/**
 * A stored ring, by a ring of before, without the master key: each new key is read with the one before it.
 * Throws if that is no longer possible.
 */
export const learnRing = (text: string, { lookup, keys: known }: KeyRing): KeyRing => {
  const keys: RingKey[] = [];
  for (const { number, fromMs, byEarlier } of parse(text).keys) {
    const key = known.find((one) => one.number === number)?.key ?? passedOn(keys.at(-1), number, byEarlier);
    keys.push({ number, fromMs, key, isPassedOn: byEarlier !== undefined });
  }
  return { lookup, keys };
};

const passedOn = (before: CipherKey | undefined, number: number, byEarlier: string | undefined): Buffer => {
  if (before === undefined || byEarlier === undefined)
    throw new Error(
      'the master key was changed while this node could not follow: start it again with the new one',
    );
  return unwrapped(before, byEarlier, placeOf(number));
};

/** With one more key, which counts from a time on. */
export const withNewKey = ({ lookup, keys }: KeyRing, fromMs: number): KeyRing => ({
  lookup,
  keys: [
    ...keys,
    { number: (keys.at(-1)?.number ?? 0) + 1, key: randomBytes(KEY_BYTES), fromMs, isPassedOn: true },
  ],
});

/** A ring as it is stored under a master key. */
export const ringText = ({ lookup, keys }: KeyRing, master: Buffer, changedAtMs: number): string => {
  const by = masterCipher(master);
  const ring: Stored = {
    changedAtMs,
    lookup: wrapped(by, lookup, LOOKUP_PLACE),
    keys: keys.map(({ number, key, fromMs, isPassedOn }, at) => {
      const before = keys[at - 1];
      const byMaster = wrapped(by, key, placeOf(number));
      if (!isPassedOn || before === undefined) return { number, fromMs, byMaster };
      return { number, fromMs, byMaster, byEarlier: wrapped(before, key, placeOf(number)) };
    }),
  };
  return JSON.stringify(ring);
};

/** A stored ring whose keys are encrypted with the master key alone. */
export const endPassingOn = (text: string): string => {
  const ring = parse(text);
  const keys = ring.keys.map(({ number, fromMs, byMaster }) => ({ number, fromMs, byMaster }));
  return JSON.stringify({ ...ring, keys });
};

/** When the master key was last changed. */
export const changedAtMs = (text: string): number => parse(text).changedAtMs;
