import { z } from 'zod';
import { endpoint, nothing, readOnly } from '../../endpoint.ts';
import { languages } from '../../messages.ts';
import { EMAIL_MAX_LENGTH, MAX_QUOTA_UNITS, PASSWORD_MAX_LENGTH, URL_MAX_LENGTH } from '../../limits.ts';
import { emailText, headerText, neededEmail, text, trimmed, typedCode } from '../../text.ts';
import { provenCredential } from './passkeys.ts';

export const sendVerification = endpoint({
  method: 'GET',
  path: '/api/verification',
  access: 'public',
  owner: 'none',
  rate: 'code',
  humanCheck: true,
  summary: 'Mail a code that proves an address; answers the same whether or not the address has an account',
  query: z.object({ email: neededEmail, turnstile: text(4096).optional() }),
  data: nothing,
});

export const bindEmail = endpoint({
  method: 'GET',
  path: '/api/oauth/email/bind',
  access: 'user',
  owner: 'self',
  rate: 'code',
  fresh: 'always',
  summary: 'Bind an address to your own account with the code that was mailed to it',
  query: z.object({ email: neededEmail, code: typedCode(64) }),
  data: nothing,
});

export const readInviteCode = endpoint({
  method: 'GET',
  path: '/api/user/aff',
  access: 'user',
  owner: 'self',
  summary: 'The own invite code',
  data: z.string(),
});

export const transferEarnings = endpoint({
  method: 'POST',
  path: '/api/user/aff_transfer',
  access: 'user',
  owner: 'self',
  summary: 'Turn invite earnings into quota, at least one quota unit of money',
  body: z.strictObject({ quota: z.number().int().min(0).max(MAX_QUOTA_UNITS) }),
  data: nothing,
});

export const updateSetting = endpoint({
  method: 'PUT',
  path: '/api/user/setting',
  access: 'user',
  owner: 'self',
  summary:
    'What the caller settles for notices and calls: what is not sent stays; an empty webhook secret keeps the stored one',
  body: z.strictObject({
    notify_type: z.enum(['email', 'webhook']).optional(),
    /** 0 means never. Balances are whole; what this is compared with need not be. */
    quota_warning_threshold: z.number().min(0).max(MAX_QUOTA_UNITS).optional(),
    webhook_url: trimmed(URL_MAX_LENGTH).optional(),
    webhook_secret: headerText(255).optional(),
    notification_email: z.union([z.literal(''), emailText]).optional(),
    /** Told, and not changed. */
    has_webhook_secret: readOnly,
    forget_webhook_secret: z.boolean().optional(),
    /** The language of notices; empty for the site's. */
    language: z.enum(['', ...languages]).optional(),
    accept_unset_model_ratio_model: z.boolean().optional(),
    record_ip_log: z.boolean().optional(),
  }),
  data: nothing,
});

export const deleteSelf = endpoint({
  method: 'DELETE',
  path: '/api/user/self',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'Cancel your own account; needs a fresh proof of identity',
  query: z.object({ username: text(EMAIL_MAX_LENGTH).optional() }),
  data: nothing,
});

export const confirmSelf = endpoint({
  method: 'POST',
  path: '/api/user/confirm',
  access: 'user',
  owner: 'self',
  summary:
    'Prove again who is there, by password, second factor or passkey; counts for ten minutes of this session',
  body: z.strictObject({
    password: text(PASSWORD_MAX_LENGTH * 8).optional(),
    code: typedCode(32).optional(),
    credential: provenCredential.optional(),
  }),
  data: nothing,
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  owner: 'self',
  summary: 'Where the caller is signed in',
  data: z.array(
    z.object({
      id: z.string(),
      created_at: z.number(),
      last_seen_at: z.number(),
      ip: z.string(),
      user_agent: z.string(),
      is_current: z.boolean(),
    }),
  ),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:key',
  access: 'user',
  owner: 'self',
  summary: 'Sign out one of your sessions',
  params: z.object({ key: text(64).regex(/^[0-9a-f]{64}$/) }),
  data: nothing,
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  access: 'user',
  owner: 'self',
  summary: 'Sign out everywhere else',
  data: nothing,
});
