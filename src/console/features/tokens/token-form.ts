import type { createToken, updateToken } from '#contract/api/people/tokens.ts';
import { AUTO_GROUP, NEVER_EXPIRES } from '#contract/codes.ts';
import type { Sent } from '#contract/endpoint.ts';
import {
  type ApiNames,
  apiNames,
  type ApiValues,
  initialSettings,
  rewriteSettings,
  type Settings,
} from '#contract/token-settings.ts';
import { formatTime } from '../../lib/text/format.ts';
import { changesWith } from '../../lib/server/changed-meanwhile.ts';
import { linesOf, namesOf, type Token } from './token.ts';

/** The values of the drawer's fields, by kind. */
interface FieldValues {
  readonly text: string;
  /** Lines as typed. */
  readonly lines: string;
  readonly names: string[];
  readonly flag: boolean;
  /** Undefined while the field is empty. */
  readonly units: number | undefined;
  /** `yyyy-MM-dd HH:mm:ss` in the local zone; empty or -1 means never. */
  readonly time: string;
}

/** What the drawer edits: settings under their names in the API. */
export interface TokenValues extends Settings<ApiNames, FieldValues> {
  readonly name: string;
  readonly count: number | undefined;
}

const WRITTEN_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/;

/** Unix seconds of a typed time; -1 for never; undefined if it is invalid, like the 31st of February. */
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

const fromApi = rewriteSettings<ApiNames, ApiNames, ApiValues, FieldValues>(apiNames, apiNames, {
  text: (value) => value,
  lines: (value) => linesOf(value).join('\n'),
  names: namesOf,
  flag: (value) => value,
  units: (value) => value,
  time: (seconds) => (seconds === NEVER_EXPIRES ? '' : formatTime(seconds)),
});

const toApi = rewriteSettings<ApiNames, ApiNames, FieldValues, ApiValues>(apiNames, apiNames, {
  text: (value) => value,
  lines: (value) => linesOf(value).join('\n'),
  names: (names) => names.join(','),
  flag: (value) => value,
  units: (value) => Math.trunc(value ?? 0),
  time: (typed) => readExpiry(typed) ?? NEVER_EXPIRES,
});

/** Source: specification, constants. */
export const newToken = (usesAutoGroup: boolean, name = ''): TokenValues => {
  const values = { name, count: 1, ...fromApi.all(initialSettings) };
  return usesAutoGroup ? { ...values, group: AUTO_GROUP } : values;
};

export const valuesOf = (token: Token): TokenValues => ({
  name: token.name,
  count: 1,
  ...fromApi.all({ ...token, allow_ips: token.allow_ips ?? '' }),
});

const settingsOf = (values: TokenValues) => ({ name: values.name.trim(), ...toApi.all(values) });

export const createBody = (values: TokenValues): CreateBody => settingsOf(values);

/** Only the changed fields: running calls keep reducing a quota while the form is open. */
export const updateBody = (before: Token, values: TokenValues, shown = before): UpdateBody => {
  const changes = changesWith(settingsOf(valuesOf(before)), settingsOf(values), shown);
  if (changes.remain_quota === undefined) return { id: before.id, ...changes };
  // Calls move quota from left to used, so only a different sum means that somebody else has changed it.
  const { used_quota, held_quota, unlimited_quota } = shown;
  return { id: before.id, ...changes, was: { unlimited_quota, used_quota, held_quota, ...changes.was } };
};
