import { hash } from 'node:crypto';
import { type IpList, parseIpList } from '#core/token/ip-list.ts';
import type { Token } from '#core/token/token.ts';
import type { User } from '#core/user/user.ts';
import type { RelayDeps } from './ports.ts';

/** A token that was found, with what its lists say worked out. */
export interface KnownToken {
  readonly token: Token;
  readonly owner: User;
  readonly ips: IpList;
}

/** Tokens by key. What is found is believed for a short time, or until somebody says that it changed. */
export interface TokenCache {
  /** At once where the key is known, else a look into the store; undefined where there is no such key. */
  find(key: string): KnownToken | Promise<KnownToken | undefined>;
  /** Always a look into the store: for who asks what is left. */
  read(key: string): Promise<KnownToken | undefined>;
  isKnown(key: string): boolean;
  invalidateToken(tokenId: number): void;
  invalidateUser(userId: number): void;
}

interface Entry extends KnownToken {
  readonly untilMs: number;
}

const MAX_TOKENS = 50_000;
/** Another node's changes are seen within this time; this node's at once. */
const BELIEVED_MS = 10_000;

/** At most 50,000 keys; those looked up longest ago go first. What is believed grows no older than ten seconds. */
export const createTokenCache = ({
  tokens,
  vault,
  clock,
}: Pick<RelayDeps, 'tokens' | 'vault' | 'clock'>): TokenCache => {
  // By digest: the map holds no key that could be read out of a memory dump.
  const entries = new Map<string, Entry>();
  let changes = 0;

  const look = async (digest: string, key: string): Promise<KnownToken | undefined> => {
    const before = changes;
    const found = await tokens.byKeyMac(vault.mac(key));
    if (found === undefined) return undefined;
    const entry: Entry = {
      token: found.token,
      owner: found.owner,
      ips: parseIpList(found.token.allowIps),
      untilMs: clock.monotonic() + BELIEVED_MS,
    };
    // What was read before a change must not be believed after it.
    if (before === changes) {
      if (entries.size >= MAX_TOKENS) entries.delete(entries.keys().next().value ?? '');
      entries.set(digest, entry);
    }
    return entry;
  };

  const fresh = (digest: string): Entry | undefined => {
    const entry = entries.get(digest);
    if (entry === undefined) return undefined;
    if (entry.untilMs > clock.monotonic()) return entry;
    entries.delete(digest);
    return undefined;
  };

  const forget = (matches: (entry: Entry) => boolean): void => {
    changes += 1;
    for (const [digest, entry] of entries) if (matches(entry)) entries.delete(digest);
  };

  return {
    find(key) {
      const digest = hash('sha256', key, 'base64url');
      return fresh(digest) ?? look(digest, key);
    },
    read: (key) => look(hash('sha256', key, 'base64url'), key),
    isKnown: (key) => fresh(hash('sha256', key, 'base64url')) !== undefined,
    invalidateToken: (tokenId) => forget((entry) => entry.token.id === tokenId),
    invalidateUser: (userId) => forget((entry) => entry.owner.id === userId),
  };
};
