import { afterEach, expect, test, vi } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { keyVerdict } from '#core/channel/keys/key-verdict.ts';
import type { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply } from '#core/outbound/outbound.ts';
import { Secret } from '#core/secrets/secret.ts';
import { baidu } from '../../baidu/baidu.ts';
import { wholeReply } from '../reply/synthetic-reply.ts';
import { noToken, TokenCache } from './token-cache.ts';

const NOW_MS = 1_795_262_018_345;
const HOUR_MS = 3_600_000;

afterEach(() => void vi.useRealTimers());

test('a caller who leaves while a token is fetched takes it from nobody who waits for the same', async () => {
  const answer = Promise.withResolvers<OutboundReply>();
  const leaving = new AbortController();
  const tools = (signal: AbortSignal): AuthorizeTools => ({
    send: (_, given) =>
      new Promise((resolve, reject) => {
        given?.addEventListener('abort', () => reject(new Error('the caller went away')));
        void answer.promise.then(resolve);
      }),
    nowMs: NOW_MS,
    signal,
  });
  const channel = channelOf(15, { key: new Secret('id|secret') });
  const authorized = async (signal: AbortSignal): Promise<string | undefined> => {
    const request = { method: 'POST', url: 'https://aip.example/chat', headers: {} } as const;
    return (await baidu.authorize?.(request, channel, tools(signal)))?.url;
  };
  const both = [authorized(leaving.signal), authorized(new AbortController().signal)];
  leaving.abort();
  answer.resolve(wholeReply(200, { access_token: 'fresh', expires_in: 3600 }));
  expect((await Promise.all(both)).at(-1)).toBe('https://aip.example/chat?access_token=fresh');
});

test('a token is fetched again when it expires soon, and when the clock was set back', async () => {
  const cache = new TokenCache();
  let fetched = 0;
  const got: string[] = [];
  for (const nowMs of [0, HOUR_MS - 61_000, HOUR_MS - 60_000, -HOUR_MS, -HOUR_MS - 59_000, -3 * HOUR_MS])
    got.push(
      await cache.get('k', NOW_MS + nowMs, async () => ({
        token: String((fetched += 1)),
        expiresAtMs: NOW_MS + nowMs + HOUR_MS,
      })),
    );
  expect(got).toEqual(['1', '1', '2', '3', '3', '4']);
});

test('a token that takes too long is late, as an upstream is, and not given up by its caller', async () => {
  vi.useFakeTimers();
  const got = new TokenCache()
    .get(
      'k',
      NOW_MS,
      (signal) => new Promise((_, reject) => (signal.onabort = () => reject(signal.reason as Error))),
    )
    .catch((error: AppError) => error.code);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(await got).toBe('upstream_timeout');
});

test.each([
  [401, { error: 'invalid_client', error_description: 'unknown client id' }, 'revoked'],
  [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 'revoked'],
  [200, { error: 'invalid_client' }, 'revoked'],
  [403, undefined, 'revoked'],
  [400, { error: 'invalid_grant', error_description: 'must be in a reasonable timeframe' }, undefined],
  [400, { error: 'invalid_scope' }, undefined],
  [429, { error: 'rate_limit_exceeded' }, 'limited'],
  [503, undefined, undefined],
  [200, undefined, undefined],
])('only a token server that refuses a key says anything of it: %i %o', (status, reply, verdict) => {
  const error = noToken(status, reply);
  expect([error.code, keyVerdict(error)]).toEqual(['upstream_failed', verdict]);
});
