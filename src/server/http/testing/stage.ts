import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import type { User } from '#core/user/user.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { typedChannel } from '#core/channel/testing/channel.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { PasskeyStore } from '#core/user/passkey-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { PoolMode } from '#core/channel/keys/pool.ts';
import type { Channels, ChannelWish } from '../../control/channels/channels.ts';
import type { Options } from '../../control/site/options.ts';
import { type Sessions, sha256 } from '../../control/people/sign-in/sessions.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { PriceBookStore } from '#core/price-book/price-book-store.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import type { PricePreviews } from '../../control/wallet/price-preview.ts';
import type { Redemptions } from '../../control/wallet/redemptions.ts';
import type { Tokens } from '../../control/people/tokens.ts';
import type { UsageLinks } from '../../control/people/usage-links.ts';
import { accessTokenHeaders, createCaller, sessionHeaders } from './caller.ts';
import { cheapHashOf } from '#core/user/testing/cheap-password.ts';

/** What the stage needs from a running server. */
export interface Staged {
  readonly url: string;
  readonly parts: {
    readonly stores: {
      readonly users: UserStore;
      readonly channels: ChannelStore;
      readonly channelKeys: Pick<ChannelKeyStore, 'ofChannels'>;
      readonly passkeys: PasskeyStore;
      readonly ledger: Pick<Ledger, 'move'>;
      readonly database: Statements;
      readonly options: OptionStore;
      readonly priceBook: PriceBookStore;
    };
    readonly sessions: Sessions;
    readonly channels: Channels;
    readonly tokens: Tokens;
    readonly usageLinks: Pick<UsageLinks, 'create'>;
    readonly options: Pick<Options, 'set'>;
    readonly redemptions: Redemptions;
    readonly pricePreviews: Pick<PricePreviews, 'start'>;
    readonly rounds: { end(): Promise<void> };
  };
}

interface Statements {
  readonly writer: {
    updateTable(table: 'users'): {
      set(values: { role?: number; status?: number }): {
        where(column: 'id', is: '=', id: number): { execute(): Promise<unknown> };
      };
    };
  };
}

export const PASSWORD = 'a long enough password';

const startSession = async (sessions: Sessions, user: User): Promise<string> => {
  const id = await sessions.start(user.id, { ip: '127.0.0.1', userAgent: 'test' });
  if (id === undefined) throw new Error(`${user.username} may not sign in`);
  return id;
};

const passwordHash = cheapHashOf(PASSWORD);

/**
 * Writes a test's users, tokens and channels to the store directly, so that only the call under test goes through the
 * API.
 */
export type Stage = Awaited<ReturnType<typeof setStage>>;

export const setStage = async ({ url, parts }: Staged) => {
  const { users, database } = parts.stores;
  let made = 0;
  let preview: Promise<number> | undefined;

  const person = async (username: string, rank = 1): Promise<User> => {
    made += 1;
    const id = await users.create({
      username,
      displayName: username,
      email: '',
      passwordHash,
      role: rank,
      group: 'default',
      affCode: `aff-${made}-${username}`,
      inviterId: 0,
      createdAtMs: Date.now(),
    });
    const user = id === 'taken' ? undefined : await users.byId(id);
    if (user === undefined) throw new Error(`${username} could not be made`);
    return user;
  };

  return {
    url,
    person,
    set: (user: User, values: { role?: number; status?: number }) =>
      database.writer.updateTable('users').set(values).where('id', '=', user.id).execute(),
    /** The headers of a user with a new session. */
    session: async (user: User): Promise<Record<string, string>> =>
      sessionHeaders(await startSession(parts.sessions, user), user.id),
    accessToken: async (user: User): Promise<Record<string, string>> => {
      const token = `access-token-of-${user.id}-${(made += 1)}`;
      await users.setAccessTokenHash(user.id, sha256(token));
      return accessTokenHeaders(token, user.id);
    },
    /** Sets an option as a user who has just signed in. */
    option: (editor: User, key: string, value: string) => setOption(parts.options, editor, { key, value }),
    /** Ends the tests and balance updates that run in the background. */
    endRounds: () => parts.rounds.end(),
    caller: (headers: Readonly<Record<string, string>> = {}) => createCaller(url, headers),
    token: async (owner: User, name = 'a token') => {
      const [token] = await parts.tokens.create(owner, { ...anyToken, name }, 1);
      if (token === undefined) throw new Error('no token was made');
      return token;
    },
    /** The key of an unlimited token whose owner has quota. */
    spendingKey: async (owner: User): Promise<string> => {
      const grant = {
        kind: 'grant',
        ref: `start-${owner.id}`,
        userId: owner.id,
        deltaUnits: 10_000_000,
      } as const;
      await parts.stores.ledger.move({ ...grant, reason: '', actorId: 0, nowMs: 1 });
      const [token] = await parts.tokens.create(owner, { ...unlimitedToken, name: 'spends' }, 1);
      if (token === undefined) throw new Error('no token was made');
      return `sk-${token.key}`;
    },
    /** A link to the usage of a new token of this user. */
    usageLink: (owner: User) => madeLink(parts, owner),
    /** A passkey whose private key nobody has. */
    passkey: (owner: User) => madePasskey(parts.stores.passkeys, owner, (made += 1)),
    /** A redemption code that can be redeemed. */
    code: (maker: User, quotaUnits = 100) => madeCode(parts.redemptions, maker, quotaUnits),
    codeId: async (key: string): Promise<number> => idOfCode(parts.redemptions, key),
    prices: (name: string, state?: 'scheduled') => madePrices(parts.stores, name, state),
    /** One preview shared by all tests that look at one, because each starts threads. */
    preview: () => (preview ??= parts.pricePreviews.start({ entries: [] }, 1)),
    channel: async (root: User, wish: Partial<ChannelWish> = {}) => newChannel(parts, root, wish),
    /** A channel with all keys of the wish, one per line. */
    pool: async (root: User, wish: Partial<ChannelWish>, mode: PoolMode = 'in_turn') =>
      newChannel(parts, root, wish, mode),
    keysOf: (channelId: number) => parts.stores.channelKeys.ofChannels([channelId]),
  };
};

const madeLink = async ({ tokens, usageLinks }: Staged['parts'], owner: User) => {
  const [token] = await tokens.create(owner, { ...anyToken, name: 'shared' }, 1);
  if (token === undefined) throw new Error('no token was made');
  return usageLinks.create(owner, owner, { tokenId: token.id, note: '', expiresAtMs: null });
};

const newChannel = async (
  parts: Staged['parts'],
  root: User,
  wish: Partial<ChannelWish>,
  mode?: PoolMode,
) => {
  await parts.channels.create(root, { ...anyChannel, ...wish }, mode);
  const rows = await allChannels(parts.stores.channels);
  const row = rows.toSorted((left, right) => right.id - left.id)[0];
  if (row === undefined) throw new Error('no channel was made');
  return row;
};

const madeCode = async (redemptions: Redemptions, maker: User, quotaUnits: number): Promise<string> =>
  (await redemptions.create(maker, { name: 'a code', quotaUnits, expiresAtMs: null }, 1))[0] ?? '';

const idOfCode = async (redemptions: Redemptions, key: string): Promise<number> =>
  (await redemptions.search(key, { page: 1, pageSize: 1 })).items[0]?.id ?? 0;

/** Two versions of prices, the second current, and a draft on it. */
const madePrices = async (
  { options, priceBook }: Staged['parts']['stores'],
  name: string,
  state?: 'scheduled',
): Promise<{ readonly older: number; readonly base: number; readonly draft: number }> => {
  await options.set('ModelPrice', JSON.stringify({ [name]: 1 }), Date.now());
  const older = await priceBook.version();
  await options.set('ModelPrice', JSON.stringify({ [name]: 2 }), Date.now());
  const base = await priceBook.version();
  const edit = { authorId: 1, author: 'root', reason: 'a draft', nowMs: Date.now() };
  const entries = [{ option: 'ModelPrice' as const, key: name, value: 3 }];
  const draft = await priceBook.createDraft({ ...edit, base, entries });
  if (state === 'scheduled')
    await priceBook.changeDraft(draft, ['open'], { state: 'due', dueAtMs: 4_000_000_000_000 }, edit.nowMs);
  return { older, base, draft };
};

const setOption = async (
  options: Pick<Options, 'set'>,
  user: User,
  change: { readonly key: string; readonly value: string },
): Promise<void> => {
  await options.set({ user, via: 'session', freshUntilMs: Infinity }, [change]);
};

const madePasskey = async (passkeys: PasskeyStore, owner: User, count: number) => {
  const known = { userId: owner.id, credentialId: `key-${count}-${owner.id}`, publicKey: 'AA' };
  await passkeys.add({ ...known, counter: 0, transports: [], name: 'a key', createdAtMs: Date.now() }, 20);
  const [newest] = await passkeys.listOf(owner.id);
  if (newest === undefined) throw new Error('no passkey was made');
  return newest;
};

const anyToken = { ...unlimitedToken, remainQuotaUnits: 1000, unlimited: false };

const anyChannel: ChannelWish = {
  ...typedChannel,
  name: 'a channel',
  key: 'sk-canary-channel-key',
  baseUrl: 'http://127.0.0.1:9',
};
