import type { z } from 'zod';
import type * as contract from '#contract/api/tokens.ts';
import type { updateToken } from '#contract/api/tokens.ts';
import { NEVER_EXPIRES } from '#contract/codes.ts';
import { commaList } from '#contract/text.ts';
import type { TokenChanges } from '#core/token/token-store.ts';
import type { OpenToken, Tokens, TokenWish } from '../../control/tokens.ts';
import type { Handlers } from '../handler.ts';
import { pageOf, pageRequest, toSeconds } from './page.ts';

type Update = z.infer<typeof updateToken.body>;

interface Wish {
  readonly name: string;
  readonly expired_time: number;
  readonly remain_quota: number;
  readonly unlimited_quota: boolean;
  readonly model_limits_enabled: boolean;
  readonly model_limits: string;
  readonly allow_ips: string;
  readonly group: string;
}

/** The caller's own tokens. Another's answers as a missing one: ownership is part of every look. */
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
      await tokens.update(actor.user, body.id, query.status_only ? statusOnly(body) : tokenChanges(body)),
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
  expired_time: token.expiresAtMs === null ? NEVER_EXPIRES : toSeconds(token.expiresAtMs),
  remain_quota: token.remainQuotaUnits,
  used_quota: token.usedQuotaUnits,
  unlimited_quota: token.unlimited,
  model_limits_enabled: token.modelLimitsEnabled,
  model_limits: token.modelLimits.join(','),
  allow_ips: token.allowIps,
  group: token.group,
});

const expiresAtMs = (expiredTime: number): number | null =>
  expiredTime === NEVER_EXPIRES ? null : expiredTime * 1000;

const tokenWish = (body: Wish): TokenWish => ({
  name: body.name,
  expiresAtMs: expiresAtMs(body.expired_time),
  remainQuotaUnits: body.remain_quota,
  unlimited: body.unlimited_quota,
  modelLimitsEnabled: body.model_limits_enabled,
  modelLimits: commaList(body.model_limits),
  allowIps: body.allow_ips,
  group: body.group,
});

const statusOnly = (body: Update): TokenChanges => (body.status === undefined ? {} : { status: body.status });

const tokenChanges = (body: Update): TokenChanges => ({
  ...statusOnly(body),
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.expired_time === undefined ? {} : { expiresAtMs: expiresAtMs(body.expired_time) }),
  ...(body.remain_quota === undefined ? {} : { remainQuotaUnits: body.remain_quota }),
  ...(body.unlimited_quota === undefined ? {} : { unlimited: body.unlimited_quota }),
  ...(body.model_limits_enabled === undefined ? {} : { modelLimitsEnabled: body.model_limits_enabled }),
  ...(body.model_limits === undefined ? {} : { modelLimits: commaList(body.model_limits) }),
  ...(body.allow_ips === undefined ? {} : { allowIps: body.allow_ips ?? '' }),
  ...(body.group === undefined ? {} : { group: body.group }),
});
