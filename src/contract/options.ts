import { z } from 'zod';
import { OPTION_MAX_LENGTH, QUOTA_PER_UNIT } from './limits.ts';
import { parsed } from './text.ts';

/** Where an option is shown, and with which others it is saved. */
export type Panel =
  | 'general'
  | 'operation'
  | 'ratio'
  | 'rate-limit'
  | 'monitoring'
  | 'quota'
  | 'log'
  | 'site';

/** One setting of the site: how its text reads, what it is when never set, who may change it. */
export interface Option<Value> {
  /** Reads the stored text; a text that does not read is refused at the door and never stored. */
  readonly schema: z.ZodType<Value, string>;
  readonly initial: Value;
  readonly panel: Panel;
  readonly editor: 'admin' | 'root';
  /** Never sent to anybody once stored. */
  readonly secret?: boolean;
}

const text = (initial: string, panel: Panel, maxLength = 20_000): Option<string> => ({
  schema: z.string().max(maxLength),
  initial,
  panel,
  editor: 'admin',
});

const flag = (initial: boolean, panel: Panel): Option<boolean> => ({
  schema: z.enum(['true', 'false']).transform((value) => value === 'true'),
  initial,
  panel,
  editor: 'admin',
});

const number = (initial: number, panel: Panel, check: z.ZodNumber): Option<number> => ({
  schema: z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .pipe(check),
  initial,
  panel,
  editor: 'admin',
});

const integer = (initial: number, panel: Panel, min: number, max = Number.MAX_SAFE_INTEGER): Option<number> =>
  number(initial, panel, z.number().int().min(min).max(max));

const json = <Value>(initial: Value, panel: Panel, schema: z.ZodType<Value>): Option<Value> => ({
  schema: z
    .string()
    .max(OPTION_MAX_LENGTH)
    .transform((value) => (value.trim() === '' ? initial : parsed(value)))
    .pipe(schema),
  initial,
  panel,
  editor: 'admin',
});

/** A decimal of at most 12 places: what exact price arithmetic can hold. */
const ratio = z.number().min(0).max(1_000_000);
const ratios = z.record(z.string().min(1).max(255), ratio);
const names = z.array(z.string().min(1).max(64)).max(1000);
const countPair = z.tuple([z.number().int().min(0).max(1e9), z.number().int().min(1).max(1e9)]);

/** Every option there is. Adding one is adding a row. */
export const optionTable = {
  SystemName: text('Tollgate', 'site', 100),
  Logo: text('', 'site', 2048),
  Footer: text('', 'site'),
  ServerAddress: text('', 'general', 2048),
  TopUpLink: text('', 'general', 2048),
  Chats: json<Record<string, string>[]>(
    [],
    'general',
    z.array(z.record(z.string().max(100), z.string().max(2048))).max(100),
  ),
  RegisterEnabled: flag(true, 'general'),
  PasswordLoginEnabled: flag(true, 'general'),
  PasswordRegisterEnabled: flag(true, 'general'),
  SelfUseModeEnabled: flag(false, 'operation'),
  DemoSiteEnabled: flag(false, 'operation'),
  QuotaPerUnit: integer(QUOTA_PER_UNIT, 'operation', 1, 1e12),
  DisplayInCurrencyEnabled: flag(true, 'operation'),
  DisplayTokenStatEnabled: flag(true, 'operation'),
  USDExchangeRate: number(7.3, 'operation', z.number().positive().max(1e6)),
  DefaultCollapseSidebar: flag(false, 'operation'),
  RetryTimes: integer(0, 'operation', 0, 10),
  'general_setting.ping_interval_enabled': flag(false, 'operation'),
  'general_setting.ping_interval_seconds': integer(60, 'operation', 1, 3600),
  DrawingEnabled: flag(true, 'operation'),
  TaskEnabled: flag(true, 'operation'),
  DataExportEnabled: flag(true, 'operation'),
  LogConsumeEnabled: flag(true, 'log'),
  QuotaForNewUser: integer(0, 'quota', 0),
  QuotaForInviter: integer(0, 'quota', 0),
  QuotaForInvitee: integer(0, 'quota', 0),
  QuotaRemindThreshold: integer(1000, 'quota', 0),
  PreConsumedQuota: integer(500, 'quota', 0, 10_000_000),
  ModelRatio: json({}, 'ratio', ratios),
  CompletionRatio: json({}, 'ratio', ratios),
  ModelPrice: json({}, 'ratio', ratios),
  CacheRatio: json({}, 'ratio', ratios),
  CreateCacheRatio: json({}, 'ratio', ratios),
  GroupRatio: json({ default: 1, vip: 1, svip: 1 }, 'ratio', ratios),
  GroupGroupRatio: json({}, 'ratio', z.record(z.string().min(1).max(64), ratios)),
  UserUsableGroups: json<Record<string, string>>(
    { default: 'Default group', vip: 'VIP group' },
    'ratio',
    z.record(z.string().min(1).max(64), z.string().max(200)),
  ),
  AutoGroups: json(['default'], 'ratio', names),
  DefaultUseAutoGroup: flag(false, 'ratio'),
  AutomaticDisableChannelEnabled: flag(false, 'monitoring'),
  AutomaticEnableChannelEnabled: flag(false, 'monitoring'),
  ChannelDisableThreshold: number(5, 'monitoring', z.number().min(0).max(3600)),
  AutomaticDisableKeywords: text(
    [
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ].join('\n'),
    'monitoring',
  ),
  ModelRequestRateLimitEnabled: flag(false, 'rate-limit'),
  ModelRequestRateLimitDurationMinutes: integer(1, 'rate-limit', 0, 10_000),
  ModelRequestRateLimitCount: integer(0, 'rate-limit', -1, 1e9),
  ModelRequestRateLimitSuccessCount: integer(1000, 'rate-limit', 1, 1e9),
  ModelRequestRateLimitGroup: json({}, 'rate-limit', z.record(z.string().min(1).max(64), countPair)),
} satisfies Record<
  string,
  Option<never> | Option<string> | Option<boolean> | Option<number> | Option<unknown>
>;

export type OptionKey = keyof typeof optionTable;

/** The value of every option, parsed. Immutable: a change makes a new one. */
export type OptionValues = {
  readonly [Key in OptionKey]: (typeof optionTable)[Key]['initial'];
};

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(optionTable, key);

/** The text an option is stored and sent as. */
export const optionText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
