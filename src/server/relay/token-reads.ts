import type { Routing } from '#core/channel/routing.ts';
import { asAppError } from '#core/error.ts';
import { groupsOf } from '#core/token/groups.ts';
import type { Authenticate } from './authenticate.ts';
import { errorHeaders } from './error-headers.ts';
import { modelEntry, modelList } from './model-list.ts';
import type { RelayDeps, TokenAnswer, TokenRead } from './ports.ts';
import type { Caller } from './running.ts';
import { unknownModel, usableModels } from './usable-models.ts';

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
      const told = deps.dialects[read.dialect].writeError(error, read.requestId);
      return { ...told, headers: errorHeaders(error) };
    }
  };

const answer = (deps: ReadDeps, read: TokenRead, caller: Caller): unknown => {
  switch (read.what) {
    case 'models':
      return modelList(read.dialect, modelsOf(deps.routing(), caller), new URLSearchParams(read.query));
    case 'model':
      return oneModel(deps.routing(), read, caller);
    case 'subscription':
      return subscription(deps, caller);
    case 'usage':
      return { object: 'list', total_usage: usedUsd(deps, caller) * 100 };
  }
};

const groupsFor = ({ options }: Routing, { token, user }: Caller): readonly string[] =>
  groupsOf(options, user.group, token?.group ?? '');

const modelsOf = (routing: Routing, caller: Caller): string[] =>
  usableModels(routing, groupsFor(routing, caller), caller);

const oneModel = (routing: Routing, { dialect, model }: TokenRead, caller: Caller): unknown => {
  if (modelsOf(routing, caller).includes(model)) return modelEntry(dialect, model);
  throw unknownModel(routing, groupsFor(routing, caller), caller, model);
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
