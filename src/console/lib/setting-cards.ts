import type { OptionKey } from '#contract/options.ts';
import { type ServiceName, serviceNames, signInServices } from '#contract/sign-in-services.ts';

/** The settings page as data: its tabs, their cards, and the options of each card in display order. */
export const settingTabs = ['personal', 'operation', 'ratelimit', 'models', 'system', 'other'] as const;

export type SettingTab = (typeof settingTabs)[number];

export interface SettingCard {
  /** Its texts are under `card.<id>` in `settings.json`. */
  readonly id: string;
  readonly tab: Exclude<SettingTab, 'personal'>;
  readonly keys: readonly OptionKey[];
}

const card = <const Id extends string>(
  tab: SettingCard['tab'],
  id: Id,
  keys: readonly OptionKey[],
): SettingCard & { readonly id: Id } => ({ id, tab, keys });

/** The options of a sign-in service except its switch. */
const serviceCard = (name: ServiceName) => {
  const { needs, more = [] }: { readonly needs: readonly OptionKey[]; readonly more?: readonly OptionKey[] } =
    signInServices[name].options;
  return card('system', name, [...needs, ...more]);
};

/** The cards of the settings pages, in order, with the options each one shows. */
export const settingCards = [
  card('operation', 'operation', [
    'TopUpLink',
    'general_setting.docs_link',
    'ChatLink',
    'ChatLink2',
    'QuotaPerUnit',
    'USDExchangeRate',
    'RetryTimes',
    'upstream_setting.silent_retries',
    'upstream_setting.retry_percent',
    'upstream_setting.model_timeouts',
    'upstream_setting.first_token',
    'upstream_setting.hedge_percent',
    'DisplayInCurrencyEnabled',
    'DisplayTokenStatEnabled',
    'DefaultCollapseSidebar',
    'SelfUseModeEnabled',
    'DemoSiteEnabled',
    'general_setting.ping_interval_enabled',
    'general_setting.ping_interval_seconds',
  ]),
  card('operation', 'choice', ['routing_setting.choice']),
  card('operation', 'affinity', [
    'affinity_setting.enabled',
    'affinity_setting.minutes',
    'affinity_setting.minutes_by_model',
  ]),
  card('operation', 'evidence', [
    'evidence_setting.least_calls',
    'evidence_setting.other_model_percent',
    'evidence_setting.token_percent',
    'evidence_setting.weight_percent',
    'evidence_setting.sealed_usd_a_day',
    'evidence_setting.lowered',
  ]),
  card('operation', 'availability', [
    'availability_setting.enabled',
    'availability_setting.models',
    'availability_setting.groups',
    'availability_setting.least_calls',
    'availability_setting.least_callers',
  ]),
  card('operation', 'drawing', [
    'DrawingEnabled',
    'TaskEnabled',
    'MjNotifyEnabled',
    'MjAccountFilterEnabled',
    'MjModeClearEnabled',
    'MjForwardUrlEnabled',
    'MjActionCheckSuccessEnabled',
  ]),
  card('operation', 'sensitive', [
    'CheckSensitiveEnabled',
    'CheckSensitiveOnPromptEnabled',
    'CheckSensitiveOnCompletionEnabled',
    'StopOnSensitiveEnabled',
    'SensitiveWords',
  ]),
  card('operation', 'log', ['LogConsumeEnabled']),
  card('operation', 'seals', []),
  card('operation', 'data', ['DataExportEnabled', 'DataExportInterval', 'DataExportDefaultTime']),
  card('operation', 'monitoring', [
    'ChannelDisableThreshold',
    'AutomaticDisableChannelEnabled',
    'AutomaticEnableChannelEnabled',
    'AutomaticDisableKeywords',
    'monitor_setting.auto_test_channel_enabled',
    'monitor_setting.auto_test_channel_minutes',
    'monitor_setting.auto_update_balance_minutes',
  ]),
  card('operation', 'quota', [
    'QuotaForNewUser',
    'PreConsumedQuota',
    'QuotaForInviter',
    'QuotaForInvitee',
    'QuotaRemindThreshold',
    'QuotaWaitSeconds',
    'StreamCacheQueueLength',
  ]),
  card('operation', 'ratio', [
    'ModelPrice',
    'ModelRatio',
    'CompletionRatio',
    'CacheRatio',
    'CreateCacheRatio',
    'tool_price_setting.prices',
    'cost_setting.currency_rates',
    'PriceDimensions',
    'ExposeRatioEnabled',
  ]),
  card('operation', 'secondPerson', ['price_setting.second_person']),
  card('operation', 'groups', [
    'GroupRatio',
    'UserUsableGroups',
    'GroupGroupRatio',
    'GroupServiceTerms',
    'cost_setting.below_cost',
    'AutoGroups',
    'DefaultUseAutoGroup',
    'group_setting.former_names',
  ]),
  card('operation', 'chats', ['Chats']),
  card('operation', 'panels', [
    'console_setting.api_info',
    'console_setting.announcements',
    'console_setting.faq',
    'console_setting.uptime_kuma_groups',
  ]),
  card('ratelimit', 'rateLimit', [
    'ModelRequestRateLimitEnabled',
    'ModelRequestRateLimitDurationMinutes',
    'ModelRequestRateLimitCount',
    'ModelRequestRateLimitSuccessCount',
    'ModelRequestRateLimitGroup',
  ]),
  card('models', 'gemini', [
    'gemini.safety_settings',
    'gemini.version_settings',
    'gemini.supported_imagine_models',
    'gemini.thinking_adapter_enabled',
    'gemini.thinking_adapter_budget_tokens_percentage',
  ]),
  card('models', 'claude', [
    'claude.model_headers_settings',
    'claude.default_max_tokens',
    'claude.thinking_adapter_enabled',
    'claude.thinking_adapter_budget_tokens_percentage',
  ]),
  card('models', 'global', [
    'global.model_aliases',
    'global.pass_through_request_enabled',
    'global.account_objects_enabled',
    'global.unpriced_work_enabled',
  ]),
  card('system', 'address', ['ServerAddress']),
  card('system', 'worker', ['WorkerUrl', 'WorkerValidKey', 'WorkerAllowHttpImageRequestEnabled']),
  card('system', 'payment', [
    'PayAddress',
    'EpayId',
    'EpayKey',
    'CustomCallbackAddress',
    'Price',
    'MinTopUp',
    'TopupGroupRatio',
    'PayMethods',
  ]),
  card('system', 'signIn', [
    'PasswordLoginEnabled',
    'PasskeyLoginEnabled',
    'PasswordRegisterEnabled',
    'RegisterEnabled',
    'EmailVerificationEnabled',
    ...serviceNames.map((name) => signInServices[name].options.on),
    'TurnstileCheckEnabled',
  ]),
  card('system', 'emailDomains', [
    'EmailDomainRestrictionEnabled',
    'EmailAliasRestrictionEnabled',
    'EmailDomainWhitelist',
  ]),
  card('system', 'mail', [
    'SMTPServer',
    'SMTPPort',
    'SMTPAccount',
    'SMTPFrom',
    'SMTPToken',
    'SMTPSSLEnabled',
  ]),
  ...serviceNames.map(serviceCard),
  card('system', 'turnstile', ['TurnstileSiteKey', 'TurnstileSecretKey']),
  card('other', 'notice', ['Notice']),
  card('other', 'names', ['SystemName', 'DefaultLanguage', 'Logo']),
  card('other', 'contents', ['HomePageContent', 'About', 'Footer']),
  card('other', 'updates', ['UpdateCheckUrl']),
] as const satisfies readonly SettingCard[];

export type CardId = (typeof settingCards)[number]['id'];

export const cardsOf = (tab: SettingTab): readonly (SettingCard & { readonly id: CardId })[] =>
  settingCards.filter((one) => one.tab === tab);
