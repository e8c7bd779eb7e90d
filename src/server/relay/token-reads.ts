import { AppError, asAppError } from '#core/error.ts';
import { groupsOf } from '#core/token/groups.ts';
import type { Authenticate } from './authenticate.ts';
import { modelEntry, modelList } from './model-list.ts';
import type { RelayDeps, TokenAnswer, TokenRead } from './ports.ts';
import type { Caller } from './running.ts';

/** What the billing page shows of a token without a limit, in dollars. */
const UNLIMITED_USD = 100_000_000;

type ReadDeps = Pick<RelayDeps, 'routing' | 'dialects' | 'log'>;

/** The small reads a program makes with its key: which models it may use, and how much it has left. */
export const createTokenReads =
  (deps: ReadDeps, authenticate: Authenticate) =>
  async (read: TokenRead): Promise<TokenAnswer> => {
    try {
      const caller = await authenticate(read);
      return { status: 200, body: answer(deps, read, caller) };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'internal')
        deps.log.error('a read failed inside', { requestId: read.requestId, cause: String(error.cause) });
      return deps.dialects[read.dialect].writeError(error, read.requestId);
    }
  };

const answer = (deps: ReadDeps, read: TokenRead, caller: Caller): unknown => {
  switch (read.what) {
    case 'models':
      return modelList(read.dialect, usableModels(deps, caller), new URLSearchParams(read.query));
    case 'model':
      if (usableModels(deps, caller).includes(read.model)) return modelEntry(read.dialect, read.model);
      throw new AppError('not_found', `the model ${read.model} does not exist or is not open to you`, {
        param: 'model',
        reason: 'model_not_found',
      });
    case 'subscription':
      return subscription(deps, caller);
    case 'usage':
      return { object: 'list', total_usage: usedUsd(deps, caller) * 100 };
  }
};

/** The models of the groups the token may use, and of its own list where it has one; by name. */
const usableModels = ({ routing }: ReadDeps, { token, user }: Caller): string[] => {
  const { tiers, options } = routing();
  const models = new Set<string>();
  for (const group of groupsOf(options, user.group, token?.group ?? '')) {
    for (const name of tiers.get(group)?.keys() ?? []) models.add(name);
  }
  const limits = token?.modelLimitsEnabled === true ? new Set(token.modelLimits) : undefined;
  return [...models].filter((name) => limits === undefined || limits.has(name)).toSorted();
};

const shown = ({ routing }: ReadDeps, units: number): number => {
  const { options } = routing();
  return options.DisplayInCurrencyEnabled ? units / options.QuotaPerUnit : units;
};

const usedUsd = (deps: ReadDeps, { token, user }: Caller): number => {
  const ofToken = deps.routing().options.DisplayTokenStatEnabled && token !== undefined;
  return shown(deps, ofToken ? token.usedQuotaUnits : user.usedQuotaUnits);
};

const subscription = (deps: ReadDeps, { token, user }: Caller): unknown => {
  const ofToken = deps.routing().options.DisplayTokenStatEnabled && token !== undefined;
  const granted = ofToken
    ? token.remainQuotaUnits + token.usedQuotaUnits
    : user.quotaUnits + user.usedQuotaUnits;
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
