import {
  keyShape,
  type Published,
  readLine,
  type Seal,
  type SealKey,
  sealShape,
  type Signed,
} from './lines.ts';
import type { Sha256 } from './merkle.ts';

/** What is needed to check anything; passed in. */
export interface SealCrypto {
  readonly sha256: Sha256;
  /** Ed25519; the key is 32 bytes in base64url. False for whatever is no key or no signature. */
  verify(publicKey: string, text: string, signature: string): boolean;
}

/** What is needed to sign. Private keys are text, of whatever form the same library reads again. */
export interface SealSigning extends SealCrypto {
  makePair(): { readonly publicKey: string; readonly privateKey: string };
  sign(privateKey: string, text: string): string;
}

/** How a key is named: by the begin of its SHA-256. */
export const keyIdOf = (sha256: Sha256, publicKey: string): string =>
  sha256(Buffer.from(publicKey, 'base64url')).slice(0, 16);

/** What the seal after this one says of it. */
export const chainHash = (sha256: Sha256, line: string): string => sha256(line);

/** Which of some keys, in their order, signs a seal. */
export const keyOfSeal = <Key extends Pick<SealKey, 'first_seal'>>(
  keys: readonly Key[],
  number: number,
): Key | undefined => keys.findLast(({ first_seal }) => first_seal <= number);

/** Published seals after they were checked: what can be trusted of them, and what is wrong. */
export interface CheckedSeals {
  readonly seals: ReadonlyMap<number, Seal>;
  readonly keys: ReadonlyMap<string, SealKey>;
  readonly problems: readonly string[];
}

const checkKeys = ({ sha256, verify }: SealCrypto, signed: readonly Signed[], problems: string[]) => {
  const keys: SealKey[] = [];
  for (const { line, signature } of signed) {
    const key = readLine(keyShape, line);
    const signer = keys.at(-1) ?? key;
    const isRight =
      key !== undefined &&
      key.id === keyIdOf(sha256, key.public_key) &&
      key.first_seal >= (keys.at(-1)?.first_seal ?? 0) &&
      verify(signer?.public_key ?? '', line, signature);
    // What follows could be anybody's.
    if (!isRight) {
      problems.push(`key ${key?.id ?? keys.length + 1} is not signed by the key before it`);
      break;
    }
    keys.push(key);
  }
  return keys;
};

/**
 * What follows from a key that one knows: keys that it or its successors signed, the seals of all these, and the seals before
 * them, whose hashes they have. That another key signed the known one says nothing: anybody could.
 */
const provenBy = (
  trusted: string,
  keys: readonly SealKey[],
  read: readonly Seal[],
  checked: CheckedSeals,
) => {
  const first = keys.findIndex(({ id }) => id === trusted);
  const proven = new Set(first === -1 ? [] : keys.slice(first).map(({ id }) => id));
  const seals = new Map<number, Seal>();
  let isFollowed = false;
  for (const seal of read.toReversed()) {
    isFollowed = checked.seals.get(seal.number) === seal && (isFollowed || proven.has(seal.key));
    if (!isFollowed) continue;
    seals.set(seal.number, seal);
    proven.add(seal.key);
  }
  const others = [...checked.seals.keys()].filter((number) => !seals.has(number));
  const problems = [...checked.problems];
  if (first === -1) problems.push(`the key ${trusted} is not among those that signed`);
  else if (others.length > 0)
    problems.push(
      `${others.length} seals up to seal ${others.at(-1)} do not follow from the key ${trusted}: others may have made them`,
    );
  return { seals, keys: new Map([...checked.keys].filter(([id]) => proven.has(id))), problems };
};

/**
 * Checks that keys follow one another, and seals too: numbers without a hole, each with the hash of the one before, signed
 * by the key of its time. With `trusted`, the id of a key that one knows, only what follows from it counts.
 */
export const checkPublished = (
  crypto: SealCrypto,
  published: Pick<Published, 'keys' | 'seals'>,
  trusted?: string,
): CheckedSeals => {
  const problems: string[] = [];
  const keys = checkKeys(crypto, published.keys, problems);
  const seals = new Map<number, Seal>();
  const read: Seal[] = [];
  let before: { readonly number: number; readonly hash: string } | undefined;
  for (const { line, signature } of published.seals) {
    const seal = readLine(sealShape, line);
    if (seal === undefined) {
      problems.push('what is published has a line that is no seal');
      break;
    }
    read.push(seal);
    const { number } = seal;
    const said = problems.length;
    if (before !== undefined && number !== before.number + 1)
      problems.push(`seal ${number} follows seal ${before.number}: days are missing or in another order`);
    if (before === undefined ? number === 1 && seal.previous !== '' : seal.previous !== before.hash)
      problems.push(`seal ${number} (${seal.day}) does not continue the one before it`);
    const key = keyOfSeal(keys, number);
    if (key === undefined || key.id !== seal.key || !crypto.verify(key.public_key, line, signature))
      problems.push(`seal ${number} (${seal.day}) is not signed by the key of its time`);
    if (problems.length === said) seals.set(number, seal);
    before = { number, hash: chainHash(crypto.sha256, line) };
  }
  const checked = { seals, keys: new Map(keys.map((key) => [key.id, key])), problems };
  return trusted === undefined ? checked : provenBy(trusted, keys, read, checked);
};
