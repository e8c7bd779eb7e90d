import { z } from 'zod';
import { endpoint, nothing } from '../../endpoint.ts';
import { EMAIL_MAX_LENGTH } from '../../limits.ts';
import { text, trimmed } from '../../text.ts';

/** In small letters, as addresses are stored; what is none is nobody's. */
const address = trimmed(EMAIL_MAX_LENGTH, 'email_needed').toLowerCase().min(1, 'email_needed');

export const requestPasswordReset = endpoint({
  method: 'GET',
  path: '/api/reset_password',
  access: 'public',
  owner: 'none',
  rate: 'reset',
  humanCheck: true,
  summary: 'Mail a link to choose a new password; answers the same whoever the address belongs to',
  query: z.object({
    email: address,
    turnstile: text(4096).optional(),
  }),
  data: nothing,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/user/reset',
  access: 'public',
  owner: 'none',
  rate: 'reset',
  summary: 'Use a mailed link: the password becomes a new random one, which is answered; sessions end',
  body: z.strictObject({ email: address, token: text(200) }),
  data: z.string(),
});
