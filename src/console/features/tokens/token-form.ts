import type { createToken, updateToken } from '#contract/api/tokens.ts';
import { AUTO_GROUP, NEVER_EXPIRES } from '#contract/codes.ts';
import { TOKEN_DEFAULT_QUOTA } from '#contract/limits.ts';
import type { Sent } from '#contract/endpoint.ts';
import { formatTime } from '../../lib/format.ts';
import { linesOf, namesOf, type Token } from './token.ts';

/** What the drawer edits. */
export interface TokenValues {
  readonly name: string;
  readonly count: number | undefined;
  /** `yyyy-MM-dd HH:mm:ss` in the local zone; empty or -1 means never. */
  readonly expiry: string;
  readonly unlimited: boolean;
  readonly quota: number | undefined;
  readonly group: string;
  readonly limitsModels: boolean;
  readonly models: string[];
  readonly ips: string;
}

/** Source: specification, constants. */
export const newToken = (usesAutoGroup: boolean): TokenValues => ({
  name: '',
  count: 1,
  expiry: '',
  unlimited: false,
  quota: TOKEN_DEFAULT_QUOTA,
  group: usesAutoGroup ? AUTO_GROUP : '',
  limitsModels: false,
  models: [],
  ips: '',
});

export const valuesOf = (token: Token): TokenValues => ({
  name: token.name,
  count: 1,
  expiry: token.expired_time === NEVER_EXPIRES ? '' : formatTime(token.expired_time),
  unlimited: token.unlimited_quota,
  quota: token.remain_quota,
  group: token.group,
  limitsModels: token.model_limits_enabled,
  models: namesOf(token.model_limits),
  ips: linesOf(token.allow_ips).join('\n'),
});

const WRITTEN_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/;

/** Unix seconds of a typed time, -1 for never, undefined where it does not read. The 31st of February does not. */
export const readExpiry = (text: string): number | undefined => {
  const typed = text.trim();
  if (typed === '' || typed === String(NEVER_EXPIRES)) return NEVER_EXPIRES;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] =
    WRITTEN_TIME.exec(typed)
      ?.slice(1)
      .map((part) => Number(part ?? 0)) ?? [];
  const date = new Date(year, month - 1, day, hour, minute, second);
  const isReal = year >= 1970 && date.getMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  return isReal ? Math.floor(date.getTime() / 1000) : undefined;
};

type CreateBody = NonNullable<Sent<typeof createToken>['body']>;
type UpdateBody = NonNullable<Sent<typeof updateToken>['body']>;

const settingsOf = (values: TokenValues) => ({
  name: values.name.trim(),
  expired_time: readExpiry(values.expiry) ?? NEVER_EXPIRES,
  unlimited_quota: values.unlimited,
  remain_quota: Math.trunc(values.quota ?? 0),
  group: values.group,
  model_limits_enabled: values.limitsModels,
  model_limits: values.models.join(','),
  allow_ips: linesOf(values.ips).join('\n'),
});

export const createBody = (values: TokenValues): CreateBody => settingsOf(values);

/** Only what was changed: a quota that was not touched keeps falling while the form is open. */
export const updateBody = (before: Token, values: TokenValues): UpdateBody => {
  const old: Readonly<Record<string, unknown>> = settingsOf(valuesOf(before));
  const changed = Object.entries(settingsOf(values)).filter(([name, value]) => old[name] !== value);
  return { id: before.id, ...Object.fromEntries(changed) };
};
