import type { z } from 'zod';
import type { siteStatus } from '#contract/api/setup.ts';
import type { OptionValues } from '#contract/options.ts';

/** What does not change while the server runs. */
export interface Site {
  readonly version: string;
  readonly startedAtMs: number;
  readonly databaseType: 'sqlite' | 'postgres';
}

/** What every visitor may know of the site: names, switches and units, nothing internal. */
export const statusOf = (
  site: Site,
  options: OptionValues,
  isSetUp: boolean,
): z.infer<typeof siteStatus> => ({
  version: site.version,
  start_time: Math.floor(site.startedAtMs / 1000),
  setup: isSetUp,
  system_name: options.SystemName,
  logo: options.Logo,
  footer_html: options.Footer,
  server_address: options.ServerAddress,
  top_up_link: options.TopUpLink,
  quota_per_unit: options.QuotaPerUnit,
  display_in_currency: options.DisplayInCurrencyEnabled,
  usd_exchange_rate: options.USDExchangeRate,
  enable_drawing: options.DrawingEnabled,
  enable_task: options.TaskEnabled,
  enable_data_export: options.DataExportEnabled,
  data_export_default_time: options.DataExportDefaultTime,
  data_export_interval: options.DataExportInterval,
  mj_notify_enabled: options.MjNotifyEnabled,
  docs_link: options['general_setting.docs_link'],
  chat_link: options.ChatLink,
  chat_link2: options.ChatLink2,
  default_collapse_sidebar: options.DefaultCollapseSidebar,
  default_use_auto_group: options.DefaultUseAutoGroup,
  self_use_mode_enabled: options.SelfUseModeEnabled,
  demo_site_enabled: options.DemoSiteEnabled,
  register_enabled: options.RegisterEnabled && options.PasswordRegisterEnabled,
  password_login_enabled: options.PasswordLoginEnabled,
  // The services below are not part of this version: the console hides what is off.
  email_verification: false,
  turnstile_check: false,
  turnstile_site_key: '',
  github_oauth: false,
  linuxdo_oauth: false,
  wechat_login: false,
  telegram_oauth: false,
  chats: options.Chats,
});
