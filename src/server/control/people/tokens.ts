import { tokenStatus } from '#contract/codes.ts';
import { TOKEN_KEY_LENGTH, TOKEN_SUFFIX_LENGTH, TOKENS_PER_USER_MAX } from '#contract/limits.ts';
import type { OptionValues } from '#contract/options.ts';
import { aliasedModel } from '#core/channel/aliased-model.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { SpentAsRead } from '#core/ledger/ledger.ts';
import { sinceRead } from '#core/ledger/set-quota.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { groupsOf } from '#core/token/groups.ts';
import { parseIpRange } from '#core/token/ip-list.ts';
import type { Token, TokenSettings } from '#core/token/token.ts';
import { stopOf, tokenStatusAt } from '#core/token/token-state.ts';
import type { NewToken, TokenChanges, TokenStore, TokenWithKey } from '#core/token/token-store.ts';
import type { User } from '#core/user/user.ts';
import { tokenPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Log } from '#core/logging.ts';
import { asRead } from '../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../changed-since.ts';
import { openedOrTold } from '../open-sealed.ts';
import { refuse, sayError } from '../refuse.ts';

export interface TokenDeps {
  readonly tokens: TokenStore;
  readonly vault: Vault;
  readonly routing: () => Pick<Routing, 'options' | 'byModel'>;
  readonly relay: { invalidateToken(tokenId: number): void };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'error'>;
}

/** A token with its key in plain text, for its owner only; the key is empty if it cannot be decrypted. */
export type OpenToken = Token & { readonly key: string };

/** What the editor of a token had read; undefined for what the request does not state. */
interface TokenAsRead {
  readonly spent?: SpentAsRead | undefined;
  readonly changedSince?: ChangedSince<OpenToken>;
}

/** A user's own tokens; others' are never found. Refusals are thrown. */
export type Tokens = ReturnType<typeof createTokens>;

/** Users' tokens: what owners may see and change of their own. Refusals are thrown. */
export const createTokens = (deps: TokenDeps) => {
  const { tokens, routing, relay, clock } = deps;
  const open = (token: TokenWithKey): OpenToken => ({
    ...opened(deps, token),
    status: tokenStatusAt(token, clock.now()),
  });
  const openPage = ({ items, total }: Page<TokenWithKey>): Page<OpenToken> => ({
    items: items.map(open),
    total,
  });

  return {
    list: async (owner: User, page: PageRequest): Promise<Page<OpenToken>> =>
      openPage(await tokens.list(owner.id, page)),

    /** Searches by part of the name, and by a key or any part of one, with or without `sk-`. */
    search: async (owner: User, keyword: string, key: string, page: PageRequest): Promise<Page<OpenToken>> =>
      openPage(await tokens.search(owner.id, { keyword, ids: await idsByKey(deps, owner, key) }, page)),

    read: async (owner: User, id: number): Promise<OpenToken> => open(found(await tokens.byId(owner.id, id))),

    /** Creates `count` tokens, all or none; the names of the second and later ones get a random suffix. */
    async create(owner: User, wish: TokenSettings, count: number): Promise<readonly OpenToken[]> {
      checkGroup(routing().options, owner, wish.group);
      checkIps(wish.allowIps);
      const settings = { ...wish, modelLimits: limitsOf(routing(), wish.modelLimits) };
      const made = await tokens.create(newTokens(deps, owner, settings, count), TOKENS_PER_USER_MAX);
      if (made === 'too_many') throw refuse('token_too_many', { limit: TOKENS_PER_USER_MAX });
      return made.map(open);
    },

    /**
     * Changes a token.
     * @param spent what was used and held when the editor read the budget; undefined if the request does not state it
     */
    async update(
      owner: User,
      id: number,
      wish: TokenChanges,
      { spent, changedSince = unasked }: TokenAsRead = {},
    ): Promise<OpenToken> {
      const updatedOnce = async (): Promise<TokenWithKey | undefined> => {
        const before = found(await tokens.byId(owner.id, id));
        refuseChanged(changedSince(open(before)));
        const changes = withBudget(withLimits(routing(), wish, before), before, spent);
        if (changes.group !== undefined && changes.group !== before.group)
          checkGroup(routing().options, owner, changes.group);
        if (changes.allowIps !== undefined) checkIps(changes.allowIps);
        const status = nextStatus(before, { ...before, ...changes }, changes.status, clock.now());
        return tokens.update(owner.id, id, { ...changes, status }, clock.now(), before);
      };
      const after = await asRead(updatedOnce, 'keeps_changing');
      relay.invalidateToken(id);
      return open(after);
    },

    /**
     * Deletes the owner's tokens; others' and missing ones are skipped.
     * @returns how many were deleted
     */
    async deleteAll(owner: User, ids: readonly number[]): Promise<number> {
      let deleted = 0;
      for (const id of new Set(ids)) {
        if (!(await tokens.delete(owner.id, id, clock.now()))) continue;
        relay.invalidateToken(id);
        deleted += 1;
      }
      return deleted;
    },

    async delete(owner: User, id: number): Promise<void> {
      if (!(await tokens.delete(owner.id, id, clock.now()))) throw refuse('token_missing');
      relay.invalidateToken(id);
    },
  };
};

/**
 * The models that a token may call. Aliases are replaced by what they stand for now: limits are those of models, so that
 * whoever changes an alias later opens nothing. A model that the token had stays, even where its name is an alias now.
 */
const limitsOf = (
  routing: ReturnType<TokenDeps['routing']>,
  wanted: readonly string[],
  before: readonly string[] = [],
): readonly string[] => {
  const stays = (name: string): boolean => before.includes(name) && routing.byModel.has(name);
  return [...new Set(wanted.map((name) => (stays(name) ? name : aliasedModel(routing, name))))];
};

const withLimits = (
  routing: ReturnType<TokenDeps['routing']>,
  wish: TokenChanges,
  { modelLimits: before }: TokenWithKey,
): TokenChanges =>
  wish.modelLimits === undefined
    ? wish
    : { ...wish, modelLimits: limitsOf(routing, wish.modelLimits, before) };

/** Leaves out a budget that is sent back as it was read, however long ago. */
const withBudget = (
  wish: TokenChanges,
  { remainQuotaUnits: quota, heldUnits: held, usedQuotaUnits: used }: TokenWithKey,
  read: SpentAsRead | undefined,
): TokenChanges => {
  const { remainQuotaUnits: leftUnits, ...rest } = wish;
  if (leftUnits === undefined || read === undefined) return wish;
  const outcome = sinceRead({ leftUnits, ...read }, { quota, held, used });
  if (outcome === 'stale') throw refuse('quota_stale');
  return outcome === 'unchanged' ? rest : wish;
};

const found = (token: TokenWithKey | undefined): TokenWithKey => {
  if (token === undefined) throw refuse('token_missing');
  return token;
};

const opened = (deps: TokenDeps, { encryptedKey, ...token }: TokenWithKey): OpenToken => ({
  ...token,
  key: keyOf(deps, token.userId, { id: token.id, encryptedKey }),
});

const keyOf = (
  deps: TokenDeps,
  ownerId: number,
  { id, encryptedKey: sealed }: Pick<TokenWithKey, 'id' | 'encryptedKey'>,
): string => openedOrTold(deps, { sealed, place: tokenPlace(ownerId), row: `token ${id}` }) ?? '';

/**
 * The tokens with this in their keys; undefined where nothing is looked for. Keys are encrypted, so that each of the owner's
 * is decrypted: with the most tokens a user may have, in a few milliseconds.
 */
const idsByKey = async (
  deps: TokenDeps,
  owner: User,
  typed: string,
): Promise<readonly number[] | undefined> => {
  const part = typed.trim().replace(/^sk-/, '').toLowerCase();
  if (part === '') return undefined;
  return (await deps.tokens.keysOf(owner.id))
    .filter((token) => keyOf(deps, owner.id, token).toLowerCase().includes(part))
    .map(({ id }) => id);
};

const newTokens = (deps: TokenDeps, owner: User, wish: TokenSettings, count: number): NewToken[] => {
  const { vault, random } = deps;
  const createdAtMs = deps.clock.now();
  return Array.from({ length: count }, (_, index) => {
    const key = random.alphanumeric(TOKEN_KEY_LENGTH);
    return {
      ...wish,
      userId: owner.id,
      key: {
        mac: vault.mac(key),
        encrypted: vault.encrypt(key, tokenPlace(owner.id)),
      },
      createdAtMs,
      name: index === 0 ? wish.name : `${wish.name}-${random.alphanumeric(TOKEN_SUFFIX_LENGTH)}`,
    };
  });
};

/**
 * An owner can enable and disable a token. An expired or exhausted one cannot be enabled until its limit is raised;
 * then it works again automatically, because it was never disabled.
 */
const nextStatus = (before: Token, after: Token, asked: number | undefined, nowMs: number): number => {
  const was = tokenStatusAt(before, nowMs);
  // A form sends the whole row back, so 3 or 4 is the old status and no change.
  const wanted = asked === tokenStatus.enabled || asked === tokenStatus.disabled ? asked : undefined;
  if ((wanted ?? was) === tokenStatus.disabled) return tokenStatus.disabled;
  const stop = stopOf(after, nowMs);
  if (wanted === tokenStatus.enabled && was !== tokenStatus.enabled && stop !== undefined)
    throw refuse(stop === tokenStatus.expired ? 'token_enable_expired' : 'token_enable_exhausted');
  return tokenStatus.enabled;
};

const checkGroup = (options: OptionValues, owner: User, group: string): void => {
  if (group === '') return;
  try {
    groupsOf(options, owner.group, group);
  } catch {
    throw refuse('token_group', { group });
  }
};

const checkIps = (allowIps: string): void => {
  for (const line of allowIps.split(/[\n,]/).map((text) => text.trim())) {
    if (line !== '' && parseIpRange(line) === undefined)
      throw sayError('invalid_request', 'token_ips', { line: line.slice(0, 60) });
  }
};
