import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type CipherKey, decryptWith, encryptWith } from './cipher.ts';

const KEY_BYTES = 32;
/** The prefix of texts that the master key itself encrypts. */
const MASTER = 0;

/** A key that stored texts are encrypted with. */
export interface RingKey extends CipherKey {
  /** From this time on texts are encrypted with it; by then every node knows it. */
  readonly fromMs: number;
  /** It is also stored encrypted with the previous key, for nodes that started with an earlier master key. */
  readonly isPassedOn: boolean;
}

/**
 * The keys of a database. They are derived from its first master key; once that was changed, they are stored, encrypted
 * with the current master key.
 */
export interface KeyRing {
  /** Never changes, because it makes the keyed hashes that rows are found by, and those cannot be made again. */
  readonly lookup: Buffer;
  /** All keys so far, the newest last. */
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

/** A value that identifies a master key without revealing it. */
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

/** Opens a stored ring with the master key that it was stored under. */
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
 * Opens a stored ring with an earlier ring instead of the master key: each new key is decrypted with the one before it.
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

/** The ring with one more key, which counts from this time on. */
export const withNewKey = ({ lookup, keys }: KeyRing, fromMs: number): KeyRing => ({
  lookup,
  keys: [
    ...keys,
    { number: (keys.at(-1)?.number ?? 0) + 1, key: randomBytes(KEY_BYTES), fromMs, isPassedOn: true },
  ],
});

/** The ring in the form in which it is stored under a master key. */
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

/** A stored ring without the copies of keys that are encrypted with a previous key. */
export const endPassingOn = (text: string): string => {
  const ring = parse(text);
  const keys = ring.keys.map(({ number, fromMs, byMaster }) => ({ number, fromMs, byMaster }));
  return JSON.stringify({ ...ring, keys });
};

/** When the master key was last changed. */
export const changedAtMs = (text: string): number => parse(text).changedAtMs;
