import { z } from 'zod';
import { endpoint, nothing } from '../../endpoint.ts';
import { text, typedCode } from '../../text.ts';
import { sessionUser } from './session.ts';

const code = typedCode(32).min(1);
const backupCodes = z.array(z.string());

export const finishLogin = endpoint({
  method: 'POST',
  path: '/api/user/login/2fa',
  access: 'public',
  owner: 'none',
  rate: 'login',
  summary: 'Second step of signing in: the ticket of the first and a code of the app, or a backup code',
  body: z.strictObject({ ticket: text(128), code }),
  data: sessionUser,
});

export const readSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/2fa',
  access: 'user',
  owner: 'self',
  summary: 'Whether two-step sign-in is on, and how many backup codes are left',
  data: z.object({ enabled: z.boolean(), backup_codes_left: z.number() }),
});

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/2fa/setup',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'A new secret for an authenticator app; takes effect once a code from it is confirmed',
  data: z.object({ secret: z.string(), url: z.string() }),
});

export const enableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/2fa/enable',
  access: 'user',
  owner: 'self',
  summary: 'Switch two-step sign-in on; answers the backup codes, this once',
  body: z.strictObject({ code }),
  data: backupCodes,
});

export const disableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/2fa/disable',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'Switch two-step sign-in off',
  body: z.strictObject({ code }),
  data: nothing,
});

export const renewBackupCodes = endpoint({
  method: 'POST',
  path: '/api/user/2fa/backup_codes',
  access: 'user',
  owner: 'self',
  summary: 'New backup codes; the old ones end',
  body: z.strictObject({ code }),
  data: backupCodes,
});
