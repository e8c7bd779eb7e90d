import { tooLate } from '#core/channel/health/patience.ts';
import { AppError } from '#core/error.ts';
import { fieldsOf, textOf } from '#core/json/fields.ts';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { redact } from '../../../dialects/redact.ts';
import { isOfAccount } from '../../../dialects/upstream-status.ts';

/** Tokens are renewed this long before they expire, so that none expires on its way. */
const MARGIN_MS = 60_000;
/** A refused token is fetched anew at most this often: it may be the key that is not accepted. */
const NEW_MS = 60_000;
const MAX_TOKENS = 1000;
/** How long a token may take. */
const TIMEOUT_MS = 15_000;

interface Token {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Fetches a token. The signal is not that of a call, because others may wait for the same token. */
type Fetch = (signal: AbortSignal) => Promise<Token>;

/** A token that is being fetched or was fetched, and when that began, by a clock that may be set back. */
interface Fetching {
  readonly fetched: Promise<Token>;
  readonly atMs: number;
}

/** Access tokens by key, each until it expires. Calls that come at once share one fetch. */
export class TokenCache {
  readonly #tokens = new Map<string, Fetching>();

  /** The token of a key; `fetch` is called where none is cached or it expires soon. A failed fetch is not cached. */
  async get(key: string, nowMs: number, fetch: Fetch): Promise<string> {
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      const { token, expiresAtMs } = await known.fetched;
      // A start in the future means that the clock was set back: the token's age is unknown, so it is not used.
      if (expiresAtMs - MARGIN_MS > nowMs && known.atMs - MARGIN_MS <= nowMs) return token;
    }
    // Another call that waited for the same fetch may have started a new one already.
    const current = this.#tokens.get(key);
    const fetching = current === undefined || current === known ? this.#begin(key, nowMs, fetch) : current;
    return (await fetching.fetched).token;
  }

  /**
   * Forgets a token that the upstream refused, unless it is new: then another call has replaced it already, or a newer
   * one would be refused too. Returns whether a retry with the cached or a new token is worthwhile.
   */
  forget(key: string, nowMs: number): boolean {
    const known = this.#tokens.get(key);
    if (known !== undefined && Math.abs(nowMs - known.atMs) > NEW_MS) this.#tokens.delete(key);
    return known !== undefined;
  }

  #begin(key: string, atMs: number, fetch: Fetch): Fetching {
    if (this.#tokens.size >= MAX_TOKENS) this.#tokens.clear();
    const late = new AbortController();
    const timer = new AwakeTimer(TIMEOUT_MS, () => late.abort(tooLate('end', TIMEOUT_MS)));
    const fetching: Fetching = { fetched: fetch(late.signal).finally(() => timer.stop()), atMs };
    this.#tokens.set(key, fetching);
    fetching.fetched.catch(() => {
      if (this.#tokens.get(key) === fetching) this.#tokens.delete(key);
    });
    return fetching;
  }
}

/** The error codes with which a token server refuses a key (RFC 6749, 5.2). */
const REFUSED: ReadonlySet<unknown> = new Set(['invalid_client', 'invalid_grant', 'unauthorized_client']);
/**
 * Google's message, under `invalid_grant`, for a request whose time is wrong: our clock is off, and the key may be
 * good.
 */
const OF_CLOCK = /reasonable timeframe/i;
const BAD_REQUEST = 400;

/**
 * The error for a reply without a token. Only a refusal is about the key: a server that fails or limits our rate says
 * nothing about it.
 */
export const noToken = (status: number, reply: unknown): AppError => {
  const { error, error_description: description } = fieldsOf(reply);
  const said = [error, description].flatMap((word) => textOf(word) ?? []).join(': ');
  const message = `no access token was given for the key (status ${status})${said && `: ${redact(said)}`}`;
  const isRefused = (isOfAccount(status) || REFUSED.has(error)) && !OF_CLOCK.test(said);
  // A bad request is our own fault, not the fault of the call that needs the token.
  const upstream = isRefused
    ? { status: 401, type: 'authentication_error', code: 'invalid_api_key', message }
    : { status: status > BAD_REQUEST && !isOfAccount(status) ? status : 0, message };
  return new AppError('upstream_failed', 'the upstream could not serve the request', { upstream });
};
