import { z } from 'zod';
import { bodyId, endpoint, flag, idParams, ignored, nothing, readOnly } from '../../endpoint.ts';
import { tokenStatus } from '../../codes.ts';
import { SEARCH_MAX_LENGTH, TOKEN_BATCH_MAX, TOKEN_NAME_MAX_LENGTH } from '../../limits.ts';
import { page, pageQuery, sortQuery } from '../../paging.ts';
import { text, trimmed } from '../../text.ts';
import { was } from '../../was.ts';
import { settingsAsked, settingsChanged, settingsShown } from '../../token-settings.ts';

export const token = z.object({
  id: z.number(),
  user_id: z.number(),
  /** 48 characters, without the prefix `sk-`; empty if the stored key was damaged and cannot be decrypted. */
  key: z.string(),
  status: z.number(),
  name: z.string(),
  created_time: z.number(),
  accessed_time: z.number(),
  used_quota: z.number(),
  /** What running calls hold. */
  held_quota: z.number(),
  ...settingsShown,
});

const readOnlyFields = {
  user_id: readOnly,
  key: readOnly,
  created_time: readOnly,
  accessed_time: readOnly,
  used_quota: readOnly,
  held_quota: readOnly,
  DeletedAt: readOnly,
  // Programs of this family send it; here, retries always stay in the group that pays.
  cross_group_retry: ignored,
};

const sorted = sortQuery('name', 'quota', 'used', 'expires', 'created', 'accessed');

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token',
  access: 'user',
  owner: 'self',
  summary: 'Your tokens, newest first',
  query: z.object({ ...pageQuery, ...sorted }),
  data: page(token),
});

export const searchTokens = endpoint({
  method: 'GET',
  path: '/api/token/search',
  access: 'user',
  owner: 'self',
  rate: 'search',
  summary: 'Your tokens by a part of the name, and by the key or a part of it',
  query: z.object({
    ...pageQuery,
    ...sorted,
    keyword: text(SEARCH_MAX_LENGTH).default(''),
    token: text(SEARCH_MAX_LENGTH).default(''),
  }),
  data: page(token),
});

export const readToken = endpoint({
  method: 'GET',
  path: '/api/token/:id',
  access: 'user',
  owner: 'self',
  summary: 'One of your tokens',
  params: idParams,
  data: token,
});

export const createToken = endpoint({
  method: 'POST',
  path: '/api/token',
  access: 'user',
  owner: 'self',
  summary: 'Make a token; its key is in the answer',
  body: z.strictObject({
    name: trimmed(TOKEN_NAME_MAX_LENGTH).min(1),
    ...settingsAsked,
    status: readOnly,
    id: readOnly,
    ...readOnlyFields,
  }),
  data: token,
});

export const createTokens = endpoint({
  method: 'POST',
  path: '/api/token/many',
  access: 'user',
  owner: 'self',
  summary: 'Make several tokens at once, all or none; the second and further get a random suffix',
  body: z.strictObject({
    name: trimmed(TOKEN_NAME_MAX_LENGTH).min(1),
    count: z.number().int().min(1).max(TOKEN_BATCH_MAX),
    ...settingsAsked,
  }),
  data: z.array(token),
});

export const deleteTokens = endpoint({
  method: 'POST',
  path: '/api/token/batch',
  access: 'user',
  owner: 'self',
  summary: 'Delete your own tokens with these ids; answers how many there were',
  body: z.strictObject({ ids: z.array(bodyId).min(1).max(TOKEN_BATCH_MAX) }),
  data: z.number(),
});

export const updateToken = endpoint({
  method: 'PUT',
  path: '/api/token',
  access: 'user',
  owner: 'self',
  summary:
    'Change a token, unless others have changed the same since `was`; with `status_only` nothing but its status',
  query: z.object({ status_only: flag }),
  body: z.strictObject({
    id: bodyId,
    name: trimmed(TOKEN_NAME_MAX_LENGTH).min(1).optional(),
    status: z.literal(Object.values(tokenStatus)).optional(),
    ...settingsChanged,
    was: was(token),
    ...readOnlyFields,
  }),
  data: token,
});

export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/:id',
  access: 'user',
  owner: 'self',
  summary: 'Delete one of your tokens; its key ends at once',
  params: idParams,
  data: nothing,
});
