import { SEALS_PATH } from '#contract/limits.ts';
import { SEALS_KEPT_MS } from '#contract/seals-kept.ts';
import type { readOwnReceipt } from '#contract/api/wallet/seals.ts';
import type { Data } from '#contract/endpoint.ts';
import { withoutEnd } from '#contract/without-end.ts';

export type SignedReceipt = Data<typeof readOwnReceipt>;

/**
 * The result of the check: sealed under a published seal; signed, seal pending; signed, but its day can no longer be
 * proven; invalid; or not checkable, because the browser has no Ed25519, as on pages without https.
 */
export type ReceiptCheck = 'sealed' | 'signed' | 'cleared' | 'wrong' | 'unchecked';

interface Signed {
  readonly line: string;
  readonly signature: string;
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const base64url = (bytes: Uint8Array): string =>
  withoutEnd(btoa(String.fromCharCode(...bytes)), '=')
    .replaceAll('+', '-')
    .replaceAll('/', '_');

const sha256 = async (...parts: readonly Uint8Array[]): Promise<Uint8Array> => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all));
};

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The root that a line's path leads to, in base64url (RFC 6962). */
export const rootOf = async (
  line: string,
  {
    index,
    count,
    path,
  }: { readonly index: number; readonly count: number; readonly path: readonly string[] },
): Promise<string | undefined> => {
  let hash = await sha256(Uint8Array.of(0), encode(line));
  let [at, last] = [index, count - 1];
  for (const one of path) {
    if (last === 0) return undefined;
    const sibling = bytesOf(one);
    if (at % 2 === 1 || at === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = await sha256(Uint8Array.of(1), hash, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? base64url(hash) : undefined;
};

const isSigned = async (publicKey: string, line: string, signature: string): Promise<boolean> => {
  const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, bytesOf(signature), encode(line));
};

const fieldOf = (line: string, name: string): unknown =>
  (JSON.parse(line) as Readonly<Record<string, unknown>>)[name];

const keyIn = (keys: readonly Signed[], id: unknown): Signed | undefined =>
  keys.find(({ line }) => fieldOf(line, 'id') === id);

/** Whether the key that signed the receipt is published, and its seal, under a key that is too. */
const isPublished = async ({ key, public_key: publicKey, proof }: SignedReceipt): Promise<boolean> => {
  // The cached seals may lack one that was made meanwhile, so they are loaded again.
  const response = await fetch(`${SEALS_PATH}?page=${proof?.page ?? 0}`, { cache: 'no-store' });
  const { keys, seals } = (await response.json()) as { readonly keys: Signed[]; readonly seals: Signed[] };
  const own = keyIn(keys, key);
  if (own === undefined || fieldOf(own.line, 'public_key') !== publicKey) return false;
  if (proof === null) return true;
  const found = seals.find(({ line }) => line === proof.seal);
  const signer = keyIn(keys, fieldOf(proof.seal, 'key'));
  if (found === undefined || signer === undefined) return false;
  return isSigned(String(fieldOf(signer.line, 'public_key')), proof.seal, found.signature);
};

/** The same, but another node may have made the seal or key a moment ago: that is no reason to accuse. */
const isPublishedSoon = async (one: SignedReceipt): Promise<boolean> => {
  if (await isPublished(one)) return true;
  await new Promise((resolve) => setTimeout(resolve, SEALS_KEPT_MS));
  return isPublished(one);
};

/**
 * Checks a receipt without trusting the page that shows it: signature, way to the root, and that this root and the key
 * are published.
 */
export const checkReceipt = async (one: SignedReceipt): Promise<ReceiptCheck> => {
  try {
    if (!(await isSigned(one.public_key, one.receipt, one.signature))) return 'wrong';
  } catch {
    return 'unchecked';
  }
  const { proof } = one;
  if (proof === null) {
    if (!(await isPublishedSoon(one))) return 'wrong';
    return one.missing === 'rows_deleted' ? 'cleared' : 'signed';
  }
  const isInPart = (await rootOf(one.receipt, proof.of_receipt)) === fieldOf(proof.part, 'root');
  const isInSeal = (await rootOf(proof.part, proof.of_part)) === fieldOf(proof.seal, 'root');
  return isInPart && isInSeal && (await isPublishedSoon(one)) ? 'sealed' : 'wrong';
};
