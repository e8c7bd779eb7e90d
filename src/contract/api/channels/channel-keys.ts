import { z } from 'zod';
import { bodyId, endpoint, flag, idParams, nothing, readOnly } from '../../endpoint.ts';
import {
  CHANNEL_KEY_MAX_LENGTH,
  CHANNEL_KEYS_MAX,
  CHANNEL_KEYS_TEXT_MAX_LENGTH,
  CHANNEL_WEIGHT_MAX,
  MODEL_NAME_MAX_LENGTH,
  SEARCH_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../../limits.ts';
import { page, pageQuery } from '../../paging.ts';
import { issueKey, text, trimmed } from '../../text.ts';
import { was } from '../../was.ts';
import { round } from './channel-checks.ts';
import { channelTestReport } from './channel-test-report.ts';
import { poolMode } from './channel-fields.ts';

/** The keys of a channel that has several. A key itself never leaves the server. */

const keyStatus = z.enum(['enabled', 'cooling', 'spent', 'revoked', 'off']);

const limit = z.number().int().min(0).max(1e9);
const limits = {
  /** 0: without a limit. */
  calls_per_minute: limit,
  tokens_per_minute: limit,
  concurrent: limit,
  calls_per_day: limit,
};

/** A key as admins see it. */
export const channelKey = z.object({
  id: z.number(),
  label: z.string(),
  /** Its last characters; empty for a short one or a service account. */
  tail: z.string(),
  /** Another for every key. */
  key_mark: z.string(),
  status: keyStatus,
  /** Why it is not enabled. */
  reason: z.string(),
  /** Until when it cools down or waits for money; 0 for neither. */
  until_time: z.number(),
  /** Its own proxy, with the password masked; empty for the channel's. */
  proxy: z.string(),
  weight: z.number(),
  ...limits,
  used_quota: z.number(),
  created_time: z.number(),
  /** When its status changed last. */
  changed_time: z.number(),
  test_time: z.number(),
});

/** What a key tells and no edit changes. */
const readOnlyFields = {
  id: readOnly,
  tail: readOnly,
  key_mark: readOnly,
  reason: readOnly,
  until_time: readOnly,
  used_quota: readOnly,
  created_time: readOnly,
  changed_time: readOnly,
  test_time: readOnly,
};

const keyParams = idParams.extend({ key_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
const label = trimmed(64);
const weight = z.number().int().min(0).max(CHANNEL_WEIGHT_MAX);
const pasted = trimmed(CHANNEL_KEYS_TEXT_MAX_LENGTH, 'channel_key_needed').min(1, 'channel_key_needed');

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/channel/:id/keys',
  access: 'admin',
  owner: 'any',
  summary: 'The keys of a channel that has several, newest first, and how many are in each state',
  params: idParams,
  query: z.object({
    ...pageQuery,
    status: keyStatus.optional(),
    keyword: text(SEARCH_MAX_LENGTH).default(''),
  }),
  data: page(channelKey).extend({
    mode: poolMode,
    counts: z.record(keyStatus, z.number()),
  }),
});

export const previewKeys = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys/preview',
  access: 'admin',
  owner: 'any',
  summary: 'What adding these keys, one a line, would do; nothing is stored',
  params: idParams,
  body: z.strictObject({ keys: pasted }),
  data: z.object({
    keys: z.number(),
    /** Keys with a name beside them. */
    named: z.number(),
    /** Lines that repeat another one. */
    repeated: z.number(),
    /** Lines that are remarks. */
    remarks: z.number(),
    /** Keys the channel has already. */
    known: z.number(),
    /** Channels that have some of them too. */
    elsewhere: z.array(z.object({ channel_id: z.number(), keys: z.number() })),
  }),
});

export const addKeys = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys',
  access: 'admin',
  owner: 'any',
  summary:
    'Add keys, one a line, alone or with a name beside them; those the channel has are left out. It then chooses among all its keys',
  params: idParams,
  body: z.strictObject({ keys: pasted, label: label.optional(), weight: weight.optional() }),
  data: z.object({ added: z.number() }),
});

export const updateKey = endpoint({
  method: 'PUT',
  path: '/api/channel/:id/keys/:key_id',
  access: 'admin',
  owner: 'any',
  summary:
    'Change the fields of one key that are sent, unless others have changed them since `was`; `key` replaces the key itself',
  params: keyParams,
  body: z.strictObject({
    label: label.optional(),
    weight: weight.optional(),
    calls_per_minute: limit.optional(),
    tokens_per_minute: limit.optional(),
    concurrent: limit.optional(),
    calls_per_day: limit.optional(),
    proxy: trimmed(URL_MAX_LENGTH).optional(),
    /** One that no admin sets is left as it is. */
    status: keyStatus.optional(),
    key: trimmed(CHANNEL_KEY_MAX_LENGTH).optional(),
    was: was(channelKey),
    ...readOnlyFields,
  }),
  data: channelKey,
});

/** Keys by their ids, or all that a list with this status and keyword shows. */
const which = {
  ids: z.array(bodyId).min(1).max(CHANNEL_KEYS_MAX).optional(),
  status: keyStatus.optional(),
  keyword: text(SEARCH_MAX_LENGTH).optional(),
};
/** All keys of a channel are never meant by saying nothing. */
const saysWhich = ({
  ids,
  status,
  keyword = '',
}: {
  readonly ids?: readonly number[] | undefined;
  readonly status?: string | undefined;
  readonly keyword?: string | undefined;
}): boolean => ids !== undefined || status !== undefined || keyword.trim() !== '';

export const switchKeys = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys/switch',
  access: 'admin',
  owner: 'any',
  summary:
    'Switch keys on or off: by `ids`, or all with a `status` or `keyword`; answers the ids of those that were not so already',
  params: idParams,
  body: z
    .strictObject({ ...which, to: z.enum(['enabled', 'off']) })
    .refine(saysWhich, issueKey('channel_keys_which')),
  data: z.object({ ids: z.array(z.number()) }),
});

export const deleteKeys = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys/delete',
  access: 'admin',
  owner: 'any',
  summary: 'Delete keys of a channel, by `ids` or all with a `status` or `keyword`, but never its last one',
  params: idParams,
  body: z.strictObject(which).refine(saysWhich, issueKey('channel_keys_which')),
  data: z.object({ deleted: z.number() }),
});

export const setPoolMode = endpoint({
  method: 'PUT',
  path: '/api/channel/:id/pool',
  access: 'admin',
  owner: 'any',
  summary: 'How a channel chooses among its keys: in turn, random by weight, or the least used',
  params: idParams,
  body: z.strictObject({ mode: poolMode }),
  data: nothing,
});

export const testKey = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys/:key_id/test',
  access: 'admin',
  owner: 'any',
  summary: 'Send one small request with one key; not charged. A key that works is used again',
  params: keyParams,
  query: z.object({ stream: flag }),
  body: z.strictObject({ model: text(MODEL_NAME_MAX_LENGTH).default('') }),
  data: nothing,
  fields: z.object({ time: z.number(), report: channelTestReport }),
});

export const testAllKeys = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys/test',
  access: 'admin',
  owner: 'any',
  summary:
    'Begin testing keys of a channel in the background: all that nobody switched off, or those with a `status` or `keyword`',
  params: idParams,
  query: z.object({ status: keyStatus.optional(), keyword: text(SEARCH_MAX_LENGTH).default('') }),
  data: nothing,
});

export const readKeyRound = endpoint({
  method: 'GET',
  path: '/api/channel/keys/round',
  access: 'admin',
  owner: 'none',
  summary: 'How far the last test of all keys of a channel has come',
  data: round.extend({ channel_id: z.number() }).nullable(),
});

export const stopKeyRound = endpoint({
  method: 'DELETE',
  path: '/api/channel/keys/round',
  access: 'admin',
  owner: 'none',
  summary: 'Stop testing keys after the one at hand',
  data: nothing,
});
