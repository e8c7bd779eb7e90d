import { z } from 'zod';
import { endpoint, ignored, nothing, readOnly } from '../../endpoint.ts';
import {
  DISPLAY_NAME_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  USERNAME_MAX_LENGTH,
} from '../../limits.ts';
import { byService } from '../../sign-in-services.ts';
import { emailText, issueKey, text, trimmed, typedCode } from '../../text.ts';

/** The scripts in use today that may stand beside Latin letters. Source: UAX #31, table 5. */
const BESIDE_LATIN =
  'Arab Armn Beng Deva Ethi Geor Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt'.split(
    ' ',
  );
/** `Zyyy`, `Zinh`: signs that every script uses, such as digits and accents. */
const together = (scripts: readonly string[]): string =>
  `[${['Zyyy', 'Zinh', ...scripts].map((script) => `\\p{scx=${script}}`).join('')}]*`;
/**
 * Letters of one script, or those that people mix: Latin ones with any other but Cyrillic and Greek, whose letters look
 * like them. Source: UTS #39, 5.2, moderately restrictive.
 */
const READABLE_SCRIPTS = new RegExp(
  `^(?:${[
    ['Cyrl'],
    ['Grek'],
    ['Latn', 'Hani', 'Hira', 'Kana'],
    ['Latn', 'Hani', 'Bopo'],
    ['Latn', 'Hani', 'Hang'],
    ...BESIDE_LATIN.map((script) => ['Latn', script]),
  ]
    .map(together)
    .join('|')})$`,
  'u',
);
/** A name that begins with an accent, or heaps them up, is drawn over what stands beside it. */
const ACCENTS_HEAPED = /^\p{M}|\p{M}{5}/u;

/**
 * New accounts follow the specification's hint; older, longer names can still sign in. To prevent look-alikes, wide
 * letters become narrow, invisible characters are refused, and so are mixed scripts and a name that looks like an e-mail
 * address. `nameKey` on the server tells which names look alike.
 */
export const newUsername = z
  .string()
  // Before the spelling is settled; nobody types as much.
  .max(1024, { abort: true })
  .normalize('NFKC')
  .trim()
  .min(1)
  .max(USERNAME_MAX_LENGTH)
  .refine((name) => !name.includes('\0'), issueKey('issue_nul'))
  .regex(/^\S+$/, issueKey('issue_spaces'))
  .regex(/^[^@\p{C}\p{Default_Ignorable_Code_Point}]+$/u, issueKey('issue_username'))
  .refine((name) => READABLE_SCRIPTS.test(name) && !ACCENTS_HEAPED.test(name), issueKey('issue_scripts'));
/** In the spelling that is hashed, so that its length is the same on every system. */
export const repeatedPassword = text(1024).normalize('NFKC').max(PASSWORD_MAX_LENGTH);
export const newPassword = repeatedPassword.min(PASSWORD_MIN_LENGTH, 'password_too_short');

/** Control characters and those that change the reading direction. Emoji joiners are allowed. */
export const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
export const displayName = trimmed(DISPLAY_NAME_MAX_LENGTH).refine(
  (name) => name.search(UNSEEN) === -1,
  issueKey('issue_unseen'),
);

/** The signed-in user as login returns it and the console stores it. */
export const sessionUser = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
  group: z.string(),
});

/** The first step succeeded, but the account has a second: `login/2fa` takes the ticket and a code. */
export const secondStep = z.object({ require_2fa: z.literal(true), ticket: z.string() });

/** The caller's own account, without secrets. */
export const self = sessionUser.extend({
  email: z.string(),
  quota: z.number(),
  used_quota: z.number(),
  /** What running calls hold; with it a balance that is sent back is known for what it was. */
  held_quota: z.number(),
  request_count: z.number(),
  aff_code: z.string(),
  aff_count: z.number(),
  aff_quota: z.number(),
  aff_history_quota: z.number(),
  inviter_id: z.number(),
  ...byService('field', () => z.string()),
  setting: z.string(),
});

/** Fields of an account that are sent back with an edit: accepted and ignored. */
export const unchangedFacts = {
  role: readOnly,
  status: readOnly,
  email: readOnly,
  used_quota: readOnly,
  held_quota: readOnly,
  request_count: readOnly,
  aff_code: readOnly,
  aff_count: readOnly,
  aff_quota: readOnly,
  aff_history_quota: readOnly,
  inviter_id: readOnly,
  ...byService('field', () => readOnly),
  setting: readOnly,
  has_password: readOnly,
  DeletedAt: readOnly,
  verification_code: readOnly,
  access_token: readOnly,
};

const turnstile = z.object({ turnstile: z.string().max(4096).optional() });

export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  access: 'public',
  owner: 'none',
  rate: 'register',
  humanCheck: true,
  summary: 'Create an account with a password',
  query: turnstile,
  body: z.strictObject({
    username: newUsername,
    password: newPassword,
    password2: repeatedPassword.optional(),
    email: emailText.optional(),
    verification_code: typedCode(64).optional(),
    // Panels of this family send null where nobody invited.
    aff_code: typedCode(64).nullish(),
  }),
  data: nothing,
});

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  access: 'public',
  owner: 'none',
  rate: 'login',
  humanCheck: true,
  summary: 'Sign in with username or e-mail and password',
  query: turnstile,
  body: z.strictObject({
    // A missing value gets the same message as an empty one.
    username: text(EMAIL_MAX_LENGTH).default(''),
    password: text(1024).default(''),
    // Sessions last equally long for everybody.
    remember: ignored,
  }),
  data: z.union([sessionUser, secondStep]),
});

export const logout = endpoint({
  method: 'GET',
  path: '/api/user/logout',
  access: 'public',
  owner: 'none',
  summary: 'End the session',
  data: nothing,
});

export const readSelf = endpoint({
  method: 'GET',
  path: '/api/user/self',
  access: 'user',
  owner: 'self',
  summary: 'The own account',
  data: self.extend({ has_password: z.boolean() }),
});

export const updateSelf = endpoint({
  method: 'PUT',
  path: '/api/user/self',
  access: 'user',
  owner: 'self',
  fresh: 'by-input',
  summary: 'Change your own name or password; a new password needs the old one',
  body: z.strictObject({
    // Older, longer names may be sent back unchanged; a new one must follow `newUsername`.
    username: trimmed(EMAIL_MAX_LENGTH).optional(),
    display_name: displayName.optional(),
    password: z.union([z.literal(''), newPassword]).optional(),
    original_password: text(1024).optional(),
    id: readOnly,
    group: readOnly,
    quota: readOnly,
    ...unchangedFacts,
  }),
  data: nothing,
});

export const ownModels = endpoint({
  method: 'GET',
  path: '/api/user/models',
  access: 'user',
  owner: 'self',
  summary: 'Names of the models the caller may use',
  data: z.array(z.string()),
});

/** The same call under the name that panels of this family use. */
export const availableModels = endpoint({
  ...ownModels,
  path: '/api/user/available_models',
  summary: 'The same as `/api/user/models`',
});

export const ownGroups = endpoint({
  method: 'GET',
  path: '/api/user/self/groups',
  access: 'user',
  owner: 'self',
  summary: 'The groups the caller may choose for a token, with their price ratio',
  data: z.record(z.string(), z.object({ desc: z.string(), ratio: z.union([z.number(), z.string()]) })),
});

export const visitorGroups = endpoint({
  ...ownGroups,
  path: '/api/user/groups',
  access: 'public',
  owner: 'none',
  summary: 'The groups that are open to everybody, with their price ratio',
});

export const makeAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'Make a new system access token; the old one ends at once',
  data: z.string(),
});
