import { aliasedModel } from '#core/channel/aliased-model.ts';
import type { Routing } from '#core/channel/routing.ts';
import { asAppError } from '#core/error.ts';
import { parseRelayKey, sentKey } from '#core/token/relay-key.ts';
import type { User } from '#core/user/user.ts';
import { groupsOf } from '#core/token/groups.ts';
import type { Authenticate } from './authenticate.ts';
import { errorHeaders } from './reply-headers.ts';
import { type ContextOf, modelEntry, modelList } from './model-list.ts';
import type { RelayDeps } from '../ports.ts';
import type { TokenAnswer, TokenRead } from '../calls.ts';
import type { Caller } from '../request/request.ts';
import type { TokenCache } from './token-cache.ts';
import { unknownModel, usableModels } from './usable-models.ts';

/** What the billing page shows for a token without a limit, in dollars. */
const UNLIMITED_USD = 100_000_000;

type ReadDeps = Pick<RelayDeps, 'routing' | 'dialects' | 'log' | 'logs'>;

/** Small reads with a relay key: the models it may use, and how much it has left. */
export const createTokenReads =
  (deps: ReadDeps, authenticate: Authenticate, tokens: Pick<TokenCache, 'read'>) =>
  async (read: TokenRead): Promise<TokenAnswer> => {
    try {
      const caller = await authenticate(read);
      if (read.what === 'models' || read.what === 'model')
        return { status: 200, body: answer(deps, read, caller) };
      const now = await asOfNow(tokens, read, caller);
      const body = read.what === 'token-log' ? await tokenLog(deps, now) : answer(deps, read, now);
      return { status: 200, body };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'internal')
        deps.log.error('a read failed unexpectedly', { requestId: read.requestId, error: error.cause });
      const headers = errorHeaders(error);
      if (read.what === 'token-usage' || read.what === 'token-log')
        return { status: error.status, body: { success: false, message: error.message }, headers };
      return { ...deps.dialects[read.dialect].writeError(error, read.requestId), headers };
    }
  };

/** Reads the caller again, because cached amounts may be some seconds old. */
const asOfNow = async (
  tokens: Pick<TokenCache, 'read'>,
  { headers, queryKey }: TokenRead,
  caller: Caller,
): Promise<Caller> => {
  const found = await tokens.read(parseRelayKey(sentKey(headers, queryKey)).key);
  return found === undefined ? caller : { ...caller, user: found.owner, token: found.token };
};

const answer = (deps: ReadDeps, read: TokenRead, caller: Caller): unknown => {
  switch (read.what) {
    case 'models': {
      const routing = deps.routing();
      const query = new URLSearchParams(read.query);
      return modelList(read.dialect, modelsOf(routing, caller), query, contextOf(routing));
    }
    case 'model':
      return oneModel(deps.routing(), read, caller);
    case 'subscription':
      return subscription(deps, caller);
    case 'usage':
      return { object: 'list', total_usage: hundredfold(usedUsd(deps, caller)) };
    case 'token-usage':
    case 'token-log':
      return tokenUsage(caller);
  }
};

const groupsFor = ({ options }: Routing, { token, user }: Caller): readonly string[] =>
  groupsOf(options, user.group, token?.group ?? '');

const modelsOf = (routing: Routing, caller: Caller): string[] =>
  usableModels(routing, groupsFor(routing, caller), caller);

/** Looks up the context length; an alias has that of its model. */
const contextOf =
  (routing: Routing): ContextOf =>
  (name) =>
    routing.catalogue.find(aliasedModel(routing, name))?.contextWindow;

const oneModel = (routing: Routing, { dialect, model }: TokenRead, caller: Caller): unknown => {
  if (modelsOf(routing, caller).includes(model)) return modelEntry(dialect, model, contextOf(routing));
  throw unknownModel(routing, groupsFor(routing, caller), caller, model);
};

const shown = ({ routing }: ReadDeps, units: number): number => {
  const { options } = routing();
  return options.DisplayInCurrencyEnabled ? units / options.QuotaPerUnit : units;
};

/** All quota ever granted: what is left, what was used, and what running calls hold. */
const grantedTo = (
  leftUnits: number,
  { usedQuotaUnits, heldUnits }: Pick<User, 'usedQuotaUnits' | 'heldUnits'>,
): number => leftUnits + usedQuotaUnits + heldUnits;

/** Dollars to cents without binary rounding noise: 7.006 and not 7.005999999999999. */
const hundredfold = (usd: number): number => Number((usd * 100).toFixed(8));

/** The reply that balance widgets for this family of gateways read; amounts are in units. */
const tokenUsage = ({ token }: Caller): unknown => ({
  code: true,
  message: 'ok',
  data: {
    object: 'token_usage',
    name: token?.name ?? '',
    total_granted: token === undefined ? 0 : grantedTo(token.remainQuotaUnits, token),
    total_used: token?.usedQuotaUnits ?? 0,
    total_available: token?.remainQuotaUnits ?? 0,
    unlimited_quota: token?.unlimited ?? false,
    model_limits: Object.fromEntries((token?.modelLimits ?? []).map((model) => [model, true])),
    model_limits_enabled: token?.modelLimitsEnabled ?? false,
    expires_at: Math.floor((token?.expiresAtMs ?? 0) / 1000),
  },
});

const MOST_ROWS = 100;

/** The newest log rows of a token, without the fields that only administrators and its owner may see. */
const tokenLog = async ({ logs }: ReadDeps, { user, token }: Caller): Promise<unknown> => {
  const filter = { userId: user.id, tokenId: token?.id ?? 0 };
  const { items } = await logs.page(filter, { page: 1, pageSize: MOST_ROWS });
  return {
    success: true,
    message: '',
    data: items.map((row) => ({
      id: row.id,
      created_at: Math.floor(row.createdAtMs / 1000),
      type: row.type,
      content: row.content,
      token_name: row.tokenName,
      model_name: row.model,
      quota: row.quotaUnits,
      prompt_tokens: row.promptTokens,
      completion_tokens: row.completionTokens,
      use_time: Math.round(row.useTimeMs / 1000),
      is_stream: row.isStream,
      group: row.group,
      request_id: row.requestId,
    })),
  };
};

const usedUsd = (deps: ReadDeps, { token, user }: Caller): number => {
  const ofToken = deps.routing().options.DisplayTokenStatEnabled && token !== undefined;
  return shown(deps, ofToken ? token.usedQuotaUnits : user.usedQuotaUnits);
};

const subscription = (deps: ReadDeps, { token, user }: Caller): unknown => {
  const ofToken = deps.routing().options.DisplayTokenStatEnabled && token !== undefined;
  const granted = ofToken ? grantedTo(token.remainQuotaUnits, token) : grantedTo(user.quotaUnits, user);
  const limit = ofToken && token.unlimited ? UNLIMITED_USD : shown(deps, granted);
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: Math.floor((token?.expiresAtMs ?? 0) / 1000),
  };
};
