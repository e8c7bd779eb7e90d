import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHAPE = /^v(\d{1,9})\.([A-Za-z0-9_-]+)$/;

/** A key that texts are encrypted with. Its number stands before each of them: `v1.`. */
export interface CipherKey {
  readonly number: number;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** AES-256-GCM with a random nonce; `place` is authenticated with the text. */
export const encryptWith = ({ number, key }: CipherKey, plain: string, place: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v${number}.${Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')}`;
};

/** The number of the key that a text is encrypted with; undefined if it is not encrypted. */
export const keyNumberOf = (sealed: string): number | undefined => {
  const [, number] = SHAPE.exec(sealed) ?? [];
  return number === undefined ? undefined : Number(number);
};

/** Throws if the text was encrypted for another place or with another key. */
export const decryptWith = (keys: readonly CipherKey[], sealed: string, place: string): string => {
  const [, number, text = ''] = SHAPE.exec(sealed) ?? [];
  const bytes = Buffer.from(text, 'base64url');
  if (number === undefined || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed text');
  const known = keys.find((one) => one.number === Number(number));
  if (known === undefined) throw new Error(`sealed with key ${number}, which is not known here`);
  const decipher = createDecipheriv('aes-256-gcm', known.key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const body = bytes.subarray(IV_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
};
