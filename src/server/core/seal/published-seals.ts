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

/** The cryptography that checks need; passed in. */
export interface SealCrypto {
  readonly sha256: Sha256;
  /** Ed25519; the key is 32 bytes in base64url. Returns false for anything that is not a valid key or signature. */
  verify(publicKey: string, text: string, signature: string): boolean;
}

/** The cryptography that signing needs. A private key is a text in a form that the same library reads again. */
export interface SealSigning extends SealCrypto {
  makePair(): { readonly publicKey: string; readonly privateKey: string };
  sign(privateKey: string, text: string): string;
}

/** The id of a key: the beginning of its SHA-256. */
export const keyIdOf = (sha256: Sha256, publicKey: string): string =>
  sha256(Buffer.from(publicKey, 'base64url')).slice(0, 16);

/** The hash by which the next seal refers to this one. */
export const chainHash = (sha256: Sha256, line: string): string => sha256(line);

/** Which of these keys, in their order, signs a seal. */
const keyOfSeal = <Key extends Pick<SealKey, 'first_seal'>>(
  keys: readonly Key[],
  number: number,
): Key | undefined => keys.findLast(({ first_seal }) => first_seal <= number);

/** The result of checking published seals: what can be trusted, and what is wrong. */
export interface CheckedSeals {
  readonly seals: ReadonlyMap<number, Seal>;
  readonly keys: ReadonlyMap<string, SealKey>;
  /** The number of the last seal, right or not; 0 if there is none. */
  readonly last: number;
  readonly problems: readonly string[];
}

/**
 * Keys up to the first that is signed neither by the one before it nor by itself; `anew` are those that only sign
 * themselves: the key before was lost, or others made them.
 */
const checkKeys = ({ sha256, verify }: SealCrypto, signed: readonly Signed[], problems: string[]) => {
  const keys: SealKey[] = [];
  const anew = new Set<string>();
  for (const { line, signature } of signed) {
    const key = readLine(keyShape, line);
    const before = keys.at(-1);
    const isSignedBy = (signer: SealKey | undefined): boolean =>
      signer !== undefined && verify(signer.public_key, line, signature);
    const isRight =
      key !== undefined &&
      key.id === keyIdOf(sha256, key.public_key) &&
      key.first_seal >= (before?.first_seal ?? 0) &&
      (isSignedBy(before) || isSignedBy(key));
    // Without a valid signature, anybody could have written what follows.
    if (!isRight) {
      problems.push(`key ${key?.id ?? keys.length + 1} is not signed by the key before it`);
      break;
    }
    if (before !== undefined && !isSignedBy(before)) anew.add(key.id);
    keys.push(key);
  }
  return { keys, anew };
};

/** What is said of a key that begins anew, to whoever has named no key. */
const begunAnew = (id: string): string =>
  `key ${id} is not signed by the key before it, so others may have made it: if the operator has told you this key, check with --key ${id}`;

/**
 * What a trusted key proves: the keys that it or its successors signed, all their seals, and the seals before them,
 * whose hashes they contain. A key that signed the trusted one proves nothing: anybody could sign it.
 */
const provenBy = (
  trusted: string,
  { keys, anew }: ReturnType<typeof checkKeys>,
  read: readonly Seal[],
  checked: CheckedSeals,
) => {
  const first = keys.findIndex(({ id }) => id === trusted);
  const end = keys.findIndex(({ id }, at) => at > first && anew.has(id));
  const signed = keys.slice(first, end === -1 ? keys.length : end);
  const proven = new Set(first === -1 ? [] : signed.map(({ id }) => id));
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
  const { last } = checked;
  return { seals, keys: new Map([...checked.keys].filter(([id]) => proven.has(id))), last, problems };
};

/**
 * Checks that keys follow each other, and seals, too: numbers without gaps, each seal with the hash of the one before,
 * signed by the key valid then. With `trusted`, a known key's id, only what that key proves counts.
 */
export const checkPublished = (
  crypto: SealCrypto,
  published: Pick<Published, 'keys' | 'seals'>,
  trusted?: string,
): CheckedSeals => {
  const problems: string[] = [];
  const found = checkKeys(crypto, published.keys, problems);
  const { keys, anew } = found;
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
  const last = before?.number ?? 0;
  const checked = { seals, keys: new Map(keys.map((key) => [key.id, key])), last, problems };
  if (trusted !== undefined) return provenBy(trusted, found, read, checked);
  return { ...checked, problems: [...[...anew].map(begunAnew), ...problems] };
};
