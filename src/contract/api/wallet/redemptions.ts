import { z } from 'zod';
import { redemptionStatus } from '../../codes.ts';
import { bodyId, endpoint, flag, idParams, nothing, readOnly } from '../../endpoint.ts';
import {
  MAX_QUOTA_UNITS,
  REDEMPTION_BATCH_MAX,
  REDEMPTION_DEFAULT_QUOTA,
  REDEMPTION_NAME_MAX_LENGTH,
  SEARCH_MAX_LENGTH,
} from '../../limits.ts';
import { page, pageQuery, sortQuery } from '../../paging.ts';
import { text, trimmed, unixSeconds } from '../../text.ts';
import { was } from '../../was.ts';

export const redemption = z.object({
  id: z.number(),
  /** Who made it. */
  user_id: z.number(),
  /** Empty if the stored key was damaged and cannot be decrypted. */
  key: z.string(),
  status: z.number(),
  name: z.string(),
  quota: z.number(),
  created_time: z.number(),
  /** 0 while nobody redeemed it. */
  redeemed_time: z.number(),
  /** Always 0: the family's forms send how many codes to make in this field, but it is not stored. */
  count: z.number(),
  /** 0 for nobody. */
  used_user_id: z.number(),
  /** Their name; empty for nobody. */
  used_username: z.string(),
  /** 0 for never. */
  expired_time: z.number(),
});

const name = trimmed(REDEMPTION_NAME_MAX_LENGTH).min(1);
/** At least 1, because a code worth nothing would be a mistake. */
const quota = z.number().int().min(1).max(MAX_QUOTA_UNITS);

const sorted = sortQuery('name', 'quota', 'expires', 'used', 'created');

export const listRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption',
  access: 'admin',
  owner: 'any',
  summary:
    'Redemption codes, newest first; with `invalid` those that are used, switched off or past their time',
  query: z.object({ ...pageQuery, ...sorted, invalid: flag }),
  data: page(redemption),
});

export const searchRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption/search',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary: 'Redemption codes by part of the name, id, or the whole code',
  query: z.object({ ...pageQuery, ...sorted, keyword: text(SEARCH_MAX_LENGTH).default('') }),
  data: page(redemption),
});

export const readRedemption = endpoint({
  method: 'GET',
  path: '/api/redemption/:id',
  access: 'admin',
  owner: 'any',
  summary: 'One redemption code',
  params: idParams,
  data: redemption,
});

export const createRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption',
  access: 'admin',
  owner: 'any',
  summary: 'Make redemption codes, all or none; the codes are in the answer',
  body: z.strictObject({
    name,
    quota: quota.default(REDEMPTION_DEFAULT_QUOTA),
    count: z.number().int().min(1).max(REDEMPTION_BATCH_MAX).default(1),
    expired_time: unixSeconds.default(0),
  }),
  data: z.array(z.string()),
});

export const updateRedemption = endpoint({
  method: 'PUT',
  path: '/api/redemption',
  access: 'admin',
  owner: 'any',
  summary:
    'Change an unused code, unless others have changed the same since `was`; with `status_only` nothing but its status',
  query: z.object({ status_only: flag }),
  body: z.strictObject({
    id: bodyId,
    name: name.optional(),
    quota: quota.optional(),
    expired_time: unixSeconds.optional(),
    status: z.literal(Object.values(redemptionStatus)).optional(),
    was: was(redemption.pick({ name: true, quota: true, expired_time: true })),
    user_id: readOnly,
    key: readOnly,
    count: readOnly,
    created_time: readOnly,
    redeemed_time: readOnly,
    used_user_id: readOnly,
    used_username: readOnly,
    DeletedAt: readOnly,
  }),
  data: redemption,
});

export const deleteRedemption = endpoint({
  method: 'DELETE',
  path: '/api/redemption/:id',
  access: 'admin',
  owner: 'any',
  summary: 'Delete a redemption code; what it credited stays',
  params: idParams,
  data: nothing,
});

export const deleteInvalidRedemptions = endpoint({
  method: 'DELETE',
  path: '/api/redemption/invalid',
  access: 'admin',
  owner: 'any',
  summary: 'Delete every code that is used, switched off or past its time; answers how many',
  data: z.number(),
});
