/** A token renewed this long before it ends is never sent too late. */
const MARGIN_MS = 60_000;
const MAX_TOKENS = 1000;

interface Token {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Tokens fetched for keys, each until it ends; calls that come together wait for one fetch. */
export class TokenCache {
  readonly #tokens = new Map<string, Promise<Token>>();

  /** The token of a key, from `fetch` where there is none that lasts. A fetch that fails is forgotten. */
  async get(key: string, nowMs: number, fetch: () => Promise<Token>): Promise<string> {
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      const { token, expiresAtMs } = await known;
      if (expiresAtMs - MARGIN_MS > nowMs) return token;
    }
    // Somebody who waited with us may have begun already.
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
