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

/** A fetch that has begun, and when; by a clock that may be set. */
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
      // One of a time to come is of unknown age: the clock was set back.
      if (expiresAtMs - MARGIN_MS > nowMs && known.atMs - MARGIN_MS <= nowMs) return token;
    }
    // Another call that waited for the same fetch may have started a new one already.
    const current = this.#tokens.get(key);
    const fetching = current === undefined || current === known ? this.#begin(key, nowMs, fetch) : current;
    return (await fetching.fetched).token;
  }

  /**
   * Forgets a token that the upstream refused, unless it is so new that another has replaced it already, or none would be better.
   * Returns whether it is worth asking with the token that is there then.
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

/** What a token server says of a key that it refuses (RFC 6749, 5.2). */
const REFUSED: ReadonlySet<unknown> = new Set(['invalid_client', 'invalid_grant', 'unauthorized_client']);
/** Google's words, under `invalid_grant`, for a call of another time: our clock is wrong, and the key may be good. */
const OF_CLOCK = /reasonable timeframe/i;
const BAD_REQUEST = 400;

/**
 * The error for a reply without a token. Only a refusal is about the key: a server that fails, or is asked too often, says
 * nothing of it.
 */
export const noToken = (status: number, reply: unknown): AppError => {
  const { error, error_description: description } = fieldsOf(reply);
  const said = [error, description].flatMap((word) => textOf(word) ?? []).join(': ');
  const message = `no access token was given for the key (status ${status})${said && `: ${redact(said)}`}`;
  const isRefused = (isOfAccount(status) || REFUSED.has(error)) && !OF_CLOCK.test(said);
  // A bad request is ours, not that of the call which needs the token.
  const upstream = isRefused
    ? { status: 401, type: 'authentication_error', code: 'invalid_api_key', message }
    : { status: status > BAD_REQUEST && !isOfAccount(status) ? status : 0, message };
  return new AppError('upstream_failed', 'the upstream could not serve the request', { upstream });
};
