import { z } from 'zod';
import { role } from '../../codes.ts';
import { endpoint, idParams, nothing, readOnly } from '../../endpoint.ts';
import { EMAIL_MAX_LENGTH, GROUP_NAME_MAX_LENGTH, MAX_QUOTA_UNITS, SEARCH_MAX_LENGTH } from '../../limits.ts';
import { page, pageQuery, sortQuery } from '../../paging.ts';
import { groupName, quotaUnits, text, trimmed } from '../../text.ts';
import { was } from '../../was.ts';
import { displayName, newPassword, newUsername, self, unchangedFacts } from './session.ts';

/** An account as an admin sees it; deleted ones stay in the list with their time of deletion. */
export const user = self.extend({
  DeletedAt: z.string().nullable(),
  /** Empty if nobody invited it. */
  inviter_name: z.string(),
  /** True for an account of the caller's rank or above: address, identities, invitations and balance are empty. */
  is_private: z.boolean(),
});

const sorted = sortQuery('name', 'group', 'role', 'quota', 'used', 'calls', 'created');

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/user',
  access: 'admin',
  owner: 'any',
  summary: 'Accounts, newest first',
  query: z.object({ ...pageQuery, ...sorted }),
  data: page(user),
});

export const searchUsers = endpoint({
  method: 'GET',
  path: '/api/user/search',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary: 'Accounts by id, name, display name or, of lower ranks, e-mail, and group',
  query: z.object({
    ...pageQuery,
    ...sorted,
    keyword: text(SEARCH_MAX_LENGTH).default(''),
    group: text(GROUP_NAME_MAX_LENGTH).default(''),
  }),
  data: page(user),
});

export const readUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'One account of lower rank',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  data: user,
});

export const createUser = endpoint({
  method: 'POST',
  path: '/api/user',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Make an account of a lower rank',
  body: z.strictObject({
    username: newUsername,
    password: newPassword,
    display_name: displayName.default(''),
    role: z.literal(Object.values(role)).default(role.user),
    /** Empty for the default one. */
    group: groupName.default(''),
    email: readOnly,
    remark: readOnly,
  }),
  data: user,
});

export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/user',
  access: 'admin',
  owner: 'lower-rank',
  fresh: 'by-input',
  summary:
    'Change name, group, password or quota of an account of lower rank, unless others have since `was`; a quota becomes a movement',
  body: z.strictObject({
    id: z.number().int().min(1),
    username: trimmed(EMAIL_MAX_LENGTH).min(1).optional(),
    display_name: displayName.optional(),
    password: z.union([z.literal(''), newPassword]).optional(),
    group: groupName.min(1).optional(),
    /** Sent back as it was read, with the other two that were read with it, it changes nothing, however old it is. */
    quota: quotaUnits.optional(),
    was: was(user.pick({ username: true, display_name: true, group: true })),
    ...unchangedFacts,
    is_private: readOnly,
    inviter_name: readOnly,
    original_password: readOnly,
    remark: readOnly,
  }),
  data: user,
});

const change = { id: z.number().int().min(1) };

export const manageUser = endpoint({
  method: 'POST',
  path: '/api/user/manage',
  access: 'admin',
  owner: 'lower-rank',
  fresh: 'by-input',
  summary: 'Enable, disable, delete, promote or demote an account of lower rank, or add to its quota',
  body: z.discriminatedUnion('action', [
    z.strictObject({
      ...change,
      action: z.enum(['enable', 'disable', 'delete', 'promote', 'demote']),
    }),
    z.strictObject({
      ...change,
      action: z.literal('add_quota'),
      /** Negative takes away. */
      value: z.number().int().min(-MAX_QUOTA_UNITS).max(MAX_QUOTA_UNITS),
      reason: trimmed(200).default(''),
      /** Made once per intent: sent again with it, as after a lost answer, the same value is not added again. */
      key: text(64).default(''),
    }),
  ]),
  data: z.object({ role: z.number(), status: z.number(), quota: z.number() }),
});

export const resetTwoStep = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/2fa',
  access: 'admin',
  owner: 'lower-rank',
  fresh: 'always',
  summary: 'Remove the lost second factor and passkeys of an account of lower rank, and sign it out',
  params: idParams,
  data: nothing,
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/user/:id',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'Cancel an account of lower rank; its row stays',
  params: idParams,
  data: nothing,
});
