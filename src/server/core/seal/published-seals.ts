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
  sha256(Buffer.from(publicKey, 'base64url')).toString('base64url').slice(0, 16);

/** What the seal after this one says of it. */
export const chainHash = (sha256: Sha256, line: string): string => sha256(line).toString('base64url');

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
 * Checks that keys follow one another, and seals too: numbers without a hole, each with the hash of the one before, signed
 * by the key of its time. With `trusted`, the id of a key that one knows, the keys must lead to or from it.
 */
export const checkPublished = (
  crypto: SealCrypto,
  published: Pick<Published, 'keys' | 'seals'>,
  trusted?: string,
): CheckedSeals => {
  const problems: string[] = [];
  const keys = checkKeys(crypto, published.keys, problems);
  if (trusted !== undefined && !keys.some(({ id }) => id === trusted))
    problems.push(`the key ${trusted} is not among those that signed`);
  const seals = new Map<number, Seal>();
  let before: { readonly number: number; readonly hash: string } | undefined;
  for (const { line, signature } of published.seals) {
    const seal = readLine(sealShape, line);
    if (seal === undefined) {
      problems.push('what is published has a line that is no seal');
      break;
    }
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
  return { seals, keys: new Map(keys.map((key) => [key.id, key])), problems };
};
