import type { IncomingHttpHeaders } from 'node:http';
import { addressKey } from '#core/address-key.ts';
import { AppError, unavailable } from '#core/error.ts';
import { admitChannelChoice, admitToken } from '#core/token/admission.ts';
import { invalidKey, parseRelayKey, sentKey } from '#core/token/relay-key.ts';
import type { RelayDeps } from '../ports.ts';
import type { RelayCall, SeenKey } from '../calls.ts';
import type { Caller } from '../request/request.ts';
import { digestOf, type KnownToken, type TokenCache } from './token-cache.ts';

/**
 * How often an address may send wrong keys per minute before those are refused without a check; and how many different
 * ones, before every key is that is not known to be good.
 */
const WRONG_KEYS = 60;
const WRONG_KEYS_WINDOW_MS = 60_000;
const REFUSED_MAX = 10_000;

interface Knock {
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly seenKey?: SeenKey | undefined;
}

/** Reads a key. Most connections send the same one again and again. */
const keyOf = (sent: string | undefined, seen: SeenKey | undefined): Omit<SeenKey, 'sent'> => {
  if (seen !== undefined && sent !== undefined && seen.sent === sent) return seen;
  const { key, channelId } = parseRelayKey(sent);
  const digest = digestOf(key);
  if (seen !== undefined && sent !== undefined) Object.assign(seen, { sent, key, channelId, digest });
  return { key, channelId, digest };
};

/**
 * Limits how many wrong keys an address has looked up. A program that repeats one wrong key locks out only that key: others
 * behind its address may have a key of today, which no cache knows yet.
 */
const wrongKeyLimit = ({ clock, wrongKeys }: Pick<RelayDeps, 'clock' | 'wrongKeys'>) => {
  /** When each wrong key was refused last, by its digest. */
  const refusedAtMs = new Map<string, number>();
  const different = (address: string): string => `${address} different`;
  const isOver = (key: string): boolean =>
    wrongKeys.count(key, WRONG_KEYS_WINDOW_MS, clock.now()) >= WRONG_KEYS;
  const wasRefused = (digest: string): boolean =>
    clock.monotonic() - (refusedAtMs.get(digest) ?? -Infinity) < WRONG_KEYS_WINDOW_MS;
  return {
    isReached(ip: string, digest: string): boolean {
      const address = addressKey(ip);
      return isOver(address) && (wasRefused(digest) || isOver(different(address)));
    },
    add(ip: string, digest: string): void {
      const address = addressKey(ip);
      wrongKeys.add(address, WRONG_KEYS_WINDOW_MS, clock.now());
      if (!wasRefused(digest)) wrongKeys.add(different(address), WRONG_KEYS_WINDOW_MS, clock.now());
      if (refusedAtMs.size >= REFUSED_MAX) refusedAtMs.clear();
      refusedAtMs.set(digest, clock.monotonic());
    },
  };
};

/** Authenticates by key; returns a promise only if the store has to be read. */
export type Authenticate = (knock: Knock) => Caller | Promise<Caller>;

/**
 * Throws `unauthenticated`, with the same message for every bad key; `rate_limited` for an address that tries many;
 * `forbidden` for a banned owner, an address not on the token's list, or an ordinary user who names a channel.
 */
export const createAuthenticate = (
  deps: Pick<RelayDeps, 'clock' | 'wrongKeys'>,
  cache: TokenCache,
): Authenticate => {
  const { clock } = deps;
  const limit = wrongKeyLimit(deps);
  const admit = (found: KnownToken, ip: string, channelId: number | undefined): Caller => {
    admitToken(found.token, found.owner, found.ips, ip, clock.now());
    admitChannelChoice(found.owner, channelId);
    if (Number.isNaN(channelId)) throw new AppError('invalid_request', 'invalid channel id');
    return { user: found.owner, token: found.token, channelId };
  };

  const lookUp = async (
    looking: Promise<KnownToken | undefined>,
    ip: string,
    { channelId, digest }: Pick<SeenKey, 'channelId' | 'digest'>,
  ): Promise<Caller> => {
    let found: KnownToken | undefined;
    try {
      found = await looking;
    } catch (cause) {
      // A store error says nothing about the key.
      throw unavailable(cause);
    }
    if (found === undefined) {
      limit.add(ip, digest);
      throw invalidKey();
    }
    return admit(found, ip, channelId);
  };

  return ({ headers, queryKey, ip, seenKey }) => {
    const { key, channelId, digest } = keyOf(sentKey(headers, queryKey), seenKey);
    const cached = cache.cached(digest);
    if (cached !== undefined) return admit(cached, ip, channelId);
    if (limit.isReached(ip, digest) && !cache.isKnown(key)) {
      throw new AppError('rate_limited', 'too many requests with invalid tokens, try later', {
        retryAfterSeconds: 60,
      });
    }
    const found = cache.find(key);
    return found instanceof Promise ? lookUp(found, ip, { channelId, digest }) : admit(found, ip, channelId);
  };
};

type CallerDeps = Pick<RelayDeps, 'playgroundUser' | 'groupsReady'> & { readonly authenticate: Authenticate };

/** Who pays for a call: the key's owner, or in the playground the signed-in user. Throws as the lookups do. */
export const callerOf = (
  { authenticate, playgroundUser, groupsReady }: CallerDeps,
  call: RelayCall,
): Caller | Promise<Caller> => {
  if (!call.playground) return authenticate(call);
  return playgroundUser(call.headers).then(async (user) => {
    await groupsReady?.(user.group);
    return { user, token: undefined, channelId: undefined };
  });
};
