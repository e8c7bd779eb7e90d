import type { z } from 'zod';
import type { siteStatus } from '#contract/api/site/setup.ts';
import type { OptionValues } from '#contract/options.ts';
import { byService } from '#contract/sign-in-services.ts';
import { isServiceOn } from '../people/sign-in/ways-in.ts';

/** What does not change while the server is running. */
export interface Site {
  readonly version: string;
  readonly startedAtMs: number;
  readonly databaseType: 'sqlite' | 'postgres';
}

/** What every visitor may see of the site: names, switches and units. */
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
  availability_enabled: options['availability_setting.enabled'],
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
  passkey_login: options.PasskeyLoginEnabled,
  email_verification: options.EmailVerificationEnabled,
  turnstile_check: options.TurnstileCheckEnabled,
  turnstile_site_key: options.TurnstileSiteKey,
  github_client_id: options.GitHubClientId,
  linuxdo_client_id: options.LinuxDOClientId,
  wechat_qrcode: options.WeChatAccountQRCodeImageURL,
  telegram_bot_name: options.TelegramBotName,
  ...byService('status', (service) => isServiceOn(options, service)),
  chats: options.Chats,
  pay_methods: options.PayMethods.map(({ name, type, color = '' }) => ({ name, type, color })),
});
