/** Tokens are renewed this long before they expire, so that none expires on its way. */
const MARGIN_MS = 60_000;
const MAX_TOKENS = 1000;

interface Token {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Access tokens by key, each until it expires. Calls that come at once share one fetch. */
export class TokenCache {
  readonly #tokens = new Map<string, Promise<Token>>();

  /** The token of a key; `fetch` is called where none is cached or it expires soon. A failed fetch is not cached. */
  async get(key: string, nowMs: number, fetch: () => Promise<Token>): Promise<string> {
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      const { token, expiresAtMs } = await known;
      if (expiresAtMs - MARGIN_MS > nowMs) return token;
    }
    // Another call that waited for the same fetch may have started a new one already.
    const current = this.#tokens.get(key);
    const fetching = current === undefined || current === known ? this.#begin(key, fetch) : current;
    return (await fetching).token;
  }

  #begin(key: string, fetch: () => Promise<Token>): Promise<Token> {
    if (this.#tokens.size >= MAX_TOKENS) this.#tokens.clear();
    const fetching = fetch();
    this.#tokens.set(key, fetching);
    fetching.catch(() => {
      if (this.#tokens.get(key) === fetching) this.#tokens.delete(key);
    });
    return fetching;
  }
}
