import type { Secrets } from './secrets.ts';

/** An escaped character takes up to six bytes, in JSON. */
const MOST_OF_A_CHARACTER = 6;

/**
 * Masks bytes that come in pieces, wherever they are cut: what may be the beginning of a secret is kept back for the next
 * piece. Of a text that is always its end, since a secret may be escaped there; sounds and pictures have no escapes.
 */
export class SecretStream {
  readonly #secrets: Secrets;
  readonly #isText: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(secrets: Secrets, isText: boolean) {
    this.#secrets = secrets;
    this.#isText = isText;
  }

  /** What may be shown once this piece has come; nothing, perhaps. */
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

  /** The rest. */
  end(): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }
}
