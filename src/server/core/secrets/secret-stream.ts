import type { Secrets } from './secrets.ts';

/** The most bytes one escaped character takes in JSON. */
const MOST_OF_A_CHARACTER = 6;

/**
 * Masks secrets in bytes that arrive in pieces, even when a secret is cut in two. Holds back bytes that may begin a
 * secret until the next piece. For text that is always the last bytes, because a secret may be escaped there; sounds
 * and pictures have no escapes.
 */
export class SecretStream {
  readonly #secrets: Secrets;
  readonly #isText: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(secrets: Secrets, isText: boolean) {
    this.#secrets = secrets;
    this.#isText = isText;
  }

  /** Takes a piece and returns the bytes that may be shown now, possibly none. */
  take(piece: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    if (this.#isText) this.#secrets.mask(bytes);
    else this.#secrets.maskPlain(bytes);
    const open = this.#isText
      ? Math.min(bytes.length, this.#secrets.longest * MOST_OF_A_CHARACTER)
      : this.#secrets.openEnd(bytes);
    this.#rest = bytes.subarray(bytes.length - open);
    return bytes.subarray(0, bytes.length - open);
  }

  /** Returns the remaining bytes. */
  end(): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }
}
