import { hash } from 'node:crypto';
import { silentNews } from '#core/news.ts';
import { type IpList, parseIpList } from '#core/token/ip-list.ts';
import type { Token } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';
import type { RelayDeps } from '../ports.ts';

/** A token from the store, with its lists parsed. */
export interface KnownToken {
  readonly token: Token;
  readonly owner: User;
  readonly ips: IpList;
}

/** Tokens by key, cached for a short time or until invalidated. */
export interface TokenCache {
  /** What is cached of a key, by its digest. */
  cached(digest: string): KnownToken | undefined;
  /** Returns at once for a cached key, else reads the store; undefined if there is no such key. */
  find(key: string): KnownToken | Promise<KnownToken | undefined>;
  /** Always reads the store: for callers that ask what is left. */
  read(key: string): Promise<KnownToken | undefined>;
  /**
   * Whether this key belonged to a token when it was last looked up, however long ago. Such a key is worth another
   * lookup.
   */
  isKnown(key: string): boolean;
  invalidateToken(tokenId: number): void;
  invalidateUser(userId: number): void;
}

/** What keys are cached by, so that a memory dump reveals only those of open connections. */
export const digestOf = (key: string): string => hash('sha256', key, 'base64url');

interface Entry extends KnownToken {
  untilMs: number;
}

const MAX_TOKENS = 50_000;
/** The news topic for a changed or deleted token or account; the body is its id. */
export const TOKEN_CHANGED = 'token-changed';
export const USER_CHANGED = 'user-changed';
/**
 * Changes by other nodes are seen within this time even if their news is lost. Changes by this node are seen at once.
 */
const BELIEVED_MS = 10_000;

/** Stores an entry as the newest, and drops the oldest if there are too many. */
const keep = (entries: Map<string, Entry>, digest: string, entry: Entry): void => {
  if (!entries.delete(digest) && entries.size >= MAX_TOKENS)
    entries.delete(entries.keys().next().value ?? '');
  entries.set(digest, entry);
};

/**
 * Creates a cache of at most 50,000 keys that drops the least recently used. Entries live for at most ten seconds, and
 * are dropped earlier on news of a change.
 */
export const createTokenCache = ({
  tokens,
  vault,
  clock,
  news = silentNews,
  groupsReady,
}: Pick<RelayDeps, 'tokens' | 'vault' | 'clock' | 'news' | 'groupsReady'>): TokenCache => {
  const entries = new Map<string, Entry>();
  let changes = 0;

  const look = async (digest: string, key: string): Promise<KnownToken | undefined> => {
    const before = changes;
    const found = await tokens.byKeyMac(vault.mac(key));
    if (found === undefined) {
      entries.delete(digest);
      return undefined;
    }
    // Nothing is cached while the routing is too old for it.
    await groupsReady?.(found.owner.group, found.token.group);
    const entry: Entry = {
      token: found.token,
      owner: found.owner,
      ips: parseIpList(found.token.allowIps),
      untilMs: clock.monotonic() + BELIEVED_MS,
    };
    // A value read before a change must not be cached after it.
    if (before === changes) keep(entries, digest, entry);
    return entry;
  };

  /** Lookups under way, and how many changes there had been when they began. */
  const looking = new Map<
    string,
    { readonly since: number; readonly found: Promise<KnownToken | undefined> }
  >();

  /** All calls of a key that is no longer fresh wait for one lookup, unless something has changed since it began. */
  const lookTogether = (digest: string, key: string): Promise<KnownToken | undefined> => {
    const under = looking.get(digest);
    if (under?.since === changes) return under.found;
    const found = look(digest, key).finally(() => {
      if (looking.get(digest)?.found === found) looking.delete(digest);
    });
    looking.set(digest, { since: changes, found });
    return found;
  };

  const fresh = (digest: string): Entry | undefined => {
    const entry = entries.get(digest);
    return entry !== undefined && entry.untilMs > clock.monotonic() ? entry : undefined;
  };

  const forget = (matches: (entry: Entry) => boolean): void => {
    changes += 1;
    for (const entry of entries.values()) if (matches(entry)) entry.untilMs = -Infinity;
  };

  const invalidateToken = (tokenId: number): void => forget((entry) => entry.token.id === tokenId);
  const invalidateUser = (userId: number): void => forget((entry) => entry.owner.id === userId);
  news.hear(TOKEN_CHANGED, (body) => invalidateToken(Number(body)));
  news.hear(USER_CHANGED, (body) => invalidateUser(Number(body)));

  return {
    cached: fresh,
    find(key) {
      const digest = digestOf(key);
      return fresh(digest) ?? lookTogether(digest, key);
    },
    read: (key) => look(digestOf(key), key),
    isKnown: (key) => entries.has(digestOf(key)),
    invalidateToken,
    invalidateUser,
  };
};
