import type { z } from 'zod';
import type * as contract from '#contract/api/people/tokens.ts';
import type { createToken, updateToken } from '#contract/api/people/tokens.ts';
import { settingsFromApi, settingsToApi, type TokenSettings } from '#core/token/token.ts';
import type { TokenChanges } from '#core/token/token-store.ts';
import type { OpenToken, Tokens } from '../../../control/people/tokens.ts';
import type { Handlers } from '../../handler.ts';
import { changedSince } from '../changed-since.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';
import { spentAsRead } from './user-wire.ts';

type Update = z.infer<typeof updateToken.body>;

type Wish = z.infer<typeof createToken.body>;

/** The caller's own tokens. Another user's token counts as missing. */
export const tokenHandlers = ({ tokens }: { readonly tokens: Tokens }): Handlers<typeof contract> => ({
  listTokens: async ({ query }, { actor }) =>
    pageOf(await tokens.list(actor.user, pageRequest(query)), query, tokenWire),
  searchTokens: async ({ query }, { actor }) =>
    pageOf(await tokens.search(actor.user, query.keyword, query.token, pageRequest(query)), query, tokenWire),
  readToken: async ({ params }, { actor }) => tokenWire(await tokens.read(actor.user, params.id)),
  createToken: async ({ body }, { actor }) => {
    const [made] = await tokens.create(actor.user, tokenWish(body), 1);
    if (made === undefined) throw new Error('one token was asked for and none was made');
    return tokenWire(made);
  },
  createTokens: async ({ body }, { actor }) =>
    (await tokens.create(actor.user, tokenWish(body), body.count)).map(tokenWire),
  deleteTokens: ({ body }, { actor }) => tokens.deleteAll(actor.user, body.ids),
  updateToken: async ({ query, body }, { actor }) =>
    tokenWire(
      await tokens.update(actor.user, body.id, query.status_only ? statusOnly(body) : tokenChanges(body), {
        spent: spentAsRead(body),
        changedSince: (token) => changedInToken(body, tokenWire(token)),
      }),
    ),
  deleteToken: async ({ params }, { actor }) => {
    await tokens.delete(actor.user, params.id);
    return null;
  },
});

const tokenWire = (token: OpenToken) => ({
  id: token.id,
  user_id: token.userId,
  key: token.key,
  status: token.status,
  name: token.name,
  created_time: toSeconds(token.createdAtMs),
  accessed_time: toSeconds(token.accessedAtMs),
  used_quota: token.usedQuotaUnits,
  held_quota: token.heldUnits,
  ...settingsToApi.all(token),
});

type Budget = Pick<ReturnType<typeof tokenWire>, 'remain_quota' | 'used_quota' | 'held_quota'>;

const sumOf = ({ remain_quota = NaN, used_quota = NaN, held_quota = NaN }: Partial<Budget>): number =>
  remain_quota + used_quota + held_quota;

/**
 * The fields that others have changed. Calls move units from the budget to used and held, so the budget counts as
 * changed only if the sum of all three has.
 */
const changedInToken = (
  { remain_quota: budget, ...body }: Update,
  now: ReturnType<typeof tokenWire>,
): string[] => {
  const then = sumOf(body.was ?? {});
  const isBounded = body.was?.unlimited_quota === false && !now.unlimited_quota;
  const isAnother = budget !== undefined && budget !== now.remain_quota;
  const isChanged = isAnother && isBounded && !Number.isNaN(then) && then !== sumOf(now);
  return [...changedSince(body, now), ...(isChanged ? ['remain_quota'] : [])];
};

const tokenWish = (body: Wish): TokenSettings => ({ name: body.name, ...settingsFromApi.all(body) });

const statusOnly = (body: Update): TokenChanges => (body.status === undefined ? {} : { status: body.status });

const tokenChanges = (body: Update): TokenChanges => ({
  ...statusOnly(body),
  ...(body.name === undefined ? {} : { name: body.name }),
  ...settingsFromApi.some(body),
});
