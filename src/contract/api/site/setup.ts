import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { byService } from '../../sign-in-services.ts';
import { text } from '../../text.ts';
import { newPassword, newUsername, repeatedPassword, sessionUser } from '../people/session.ts';

export const readSetup = endpoint({
  method: 'GET',
  path: '/api/setup',
  access: 'public',
  owner: 'none',
  summary: 'Whether the first account exists yet',
  data: z.object({
    status: z.boolean(),
    root_init: z.boolean(),
    database_type: z.enum(['sqlite', 'postgres']),
  }),
});

export const finishSetup = endpoint({
  method: 'POST',
  path: '/api/setup',
  access: 'public',
  owner: 'none',
  rate: 'setup',
  summary: 'Make the super admin and sign in; needs the secret of the one-time setup link',
  body: z.strictObject({
    secret: text(200),
    username: newUsername,
    password: newPassword,
    confirmPassword: repeatedPassword,
    SelfUseModeEnabled: z.boolean().default(false),
    DemoSiteEnabled: z.boolean().default(false),
  }),
  data: sessionUser,
});

/** What every visitor may know about the site. */
export const siteStatus = z.object({
  version: z.string(),
  start_time: z.number(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  top_up_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  usd_exchange_rate: z.number(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  /** The public page of availability is shown. */
  availability_enabled: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.enum(['hour', 'day', 'week']),
  /** Minutes. */
  data_export_interval: z.number(),
  mj_notify_enabled: z.boolean(),
  docs_link: z.string(),
  chat_link: z.string(),
  chat_link2: z.string(),
  default_collapse_sidebar: z.boolean(),
  default_use_auto_group: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  register_enabled: z.boolean(),
  password_login_enabled: z.boolean(),
  passkey_login: z.boolean(),
  email_verification: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  github_client_id: z.string(),
  linuxdo_client_id: z.string(),
  wechat_qrcode: z.string(),
  telegram_bot_name: z.string(),
  ...byService('status', () => z.boolean()),
  chats: z.array(z.record(z.string(), z.string())),
  /** As configured; `/api/user/topup/info` says whether payment is on at all. */
  pay_methods: z.array(z.object({ name: z.string(), type: z.string(), color: z.string() })),
});

export const readStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  access: 'public',
  owner: 'none',
  summary: 'Site name, switches and units',
  data: siteStatus,
});
