import { z } from 'zod';
import { NEVER_EXPIRES } from './codes.ts';
import { TOKEN_DEFAULT_QUOTA, TOKEN_TAG_MAX_LENGTH } from './limits.ts';
import { groupName, quotaUnits, text, trimmed, unixSeconds, withCommas } from './text.ts';

/** The values of the API by kind. A kind says how a setting is written in each place; most kinds are the same everywhere. */
export interface ApiValues {
  readonly text: string;
  /** Lines of one text. */
  readonly lines: string;
  /** A comma list. */
  readonly names: string;
  readonly flag: boolean;
  readonly units: number;
  /** Seconds since 1970, or -1 for never. */
  readonly time: number;
}

export type SettingKind = keyof ApiValues;

interface SettingOf<Kind extends SettingKind> {
  /** Its name in the API, and its column unless `store/database/token-columns.ts` names another. */
  readonly api: string;
  readonly kind: Kind;
  /** What the API takes. */
  readonly schema: z.ZodType<ApiValues[Kind]>;
  /** The value where none was sent, and of the tokens that were there before the setting. */
  readonly initial: Kind extends 'time' ? typeof NEVER_EXPIRES : ApiValues[Kind];
}

type TokenSetting = { readonly [Kind in SettingKind]: SettingOf<Kind> }[SettingKind];

/** One that is pasted may have a name a line. */
const nameList = text(64 * 1024).transform((names) => withCommas(names.replaceAll('\n', ',')));

/**
 * What a token's owner decides about it, beside its name. API, server, columns, migrations and the form's values are
 * derived from a row; CONTRIBUTING.md says what else a new one needs. A row is never removed, as no migration is.
 */
const tokenSettings = {
  /** Null means never. */
  expiresAtMs: {
    api: 'expired_time',
    kind: 'time',
    schema: z.union([z.literal(NEVER_EXPIRES), unixSeconds]),
    initial: NEVER_EXPIRES,
  },
  /** The owner sends an absolute value; the store applies the difference, so that running calls are not overwritten. */
  remainQuotaUnits: { api: 'remain_quota', kind: 'units', schema: quotaUnits, initial: TOKEN_DEFAULT_QUOTA },
  unlimited: { api: 'unlimited_quota', kind: 'flag', schema: z.boolean(), initial: false },
  modelLimitsEnabled: { api: 'model_limits_enabled', kind: 'flag', schema: z.boolean(), initial: false },
  modelLimits: { api: 'model_limits', kind: 'names', schema: nameList, initial: '' },
  /** One address or CIDR range per line; empty means any. */
  allowIps: {
    api: 'allow_ips',
    kind: 'lines',
    schema: text(16 * 1024)
      .nullable()
      .transform((ips) => ips ?? ''),
    initial: '',
  },
  /** Empty means its owner's group. */
  group: { api: 'group', kind: 'text', schema: groupName, initial: '' },
  /** A project, a customer: statements add up by it. Empty means none. */
  tag: { api: 'tag', kind: 'text', schema: trimmed(TOKEN_TAG_MAX_LENGTH), initial: '' },
} as const satisfies Record<string, TokenSetting>;

type Rows = typeof tokenSettings;
export type SettingName = keyof Rows;

export const settingNames = Object.keys(tokenSettings) as SettingName[];

/** What the settings are called in one place. */
export type Names = { readonly [Name in SettingName]: string };

/** Every setting, called as `Called` says, with the values that `Values` has for its kind. */
export type Settings<Called extends Names, Values extends Record<SettingKind, unknown>> = {
  readonly [Name in SettingName as Called[Name]]: Values[Rows[Name]['kind']];
};

export type ApiNames = { readonly [Name in SettingName]: Rows[Name]['api'] };

const bySetting = <Made>(make: (name: SettingName) => unknown): Made =>
  Object.fromEntries(settingNames.map((name) => [name, make(name)])) as Made;

const byApiName = <Made>(make: (row: Rows[SettingName]) => unknown): Made =>
  Object.fromEntries(
    settingNames.map((name) => [tokenSettings[name].api, make(tokenSettings[name])]),
  ) as Made;

/** The API's name of each setting. */
export const apiNames = bySetting<ApiNames>((name) => tokenSettings[name].api);

/** The settings of a new token, under the API's names. */
export const initialSettings = byApiName<Settings<ApiNames, ApiValues>>(({ initial }) => initial);

/** The schemas of a new token's settings. */
export const settingsAsked = byApiName<{
  readonly [Name in SettingName as Rows[Name]['api']]: z.ZodDefault<Rows[Name]['schema']>;
}>(({ schema, initial }) => (schema as z.ZodType).default(initial));

/** The schemas of changes to them. */
export const settingsChanged = byApiName<{
  readonly [Name in SettingName as Rows[Name]['api']]: z.ZodOptional<Rows[Name]['schema']>;
}>(({ schema }) => schema.optional());

const shown = {
  text: z.string(),
  lines: z.string().nullable(),
  names: z.string(),
  flag: z.boolean(),
  units: z.number(),
  time: z.number(),
} as const satisfies { readonly [Kind in SettingKind]: z.ZodType };

/** The schemas of the settings in an answer. */
export const settingsShown = byApiName<Settings<ApiNames, typeof shown>>(({ kind }) => shown[kind]);

/** Rewrites settings: `all` of them, or `some`, where one that is undefined is left out. */
interface Rewrite<Whole, Result> {
  readonly all: (settings: Whole) => Result;
  readonly some: (settings: { readonly [Name in keyof Whole]?: Whole[Name] | undefined }) => Partial<Result>;
}

/** Makes the functions that rename every setting and rewrite its value by the rule of its kind. */
export const rewriteSettings = <
  FromNames extends Names,
  ToNames extends Names,
  From extends Record<SettingKind, unknown>,
  To extends Record<SettingKind, unknown>,
>(
  from: FromNames,
  to: ToNames,
  rules: { readonly [Kind in SettingKind]: (value: From[Kind]) => To[Kind] },
): Rewrite<Settings<FromNames, From>, Settings<ToNames, To>> => {
  // The types above say that each rule meets values of its kind only.
  const ruleOf = (name: SettingName) => rules[tokenSettings[name].kind] as (value: unknown) => unknown;
  const rewrite = (settings: object, isWanted: (value: unknown) => boolean) => {
    const values = new Map<string, unknown>(Object.entries(settings));
    const wanted = settingNames.filter((name) => isWanted(values.get(from[name])));
    return Object.fromEntries(wanted.map((name) => [to[name], ruleOf(name)(values.get(from[name]))]));
  };
  return {
    all: (settings) => rewrite(settings, () => true) as Settings<ToNames, To>,
    some: (settings) => rewrite(settings, (value) => value !== undefined) as Partial<Settings<ToNames, To>>,
  };
};
