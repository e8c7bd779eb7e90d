import { z } from 'zod';
import { bodyId, endpoint, flag, idParams, nothing, readOnly } from '../../endpoint.ts';
import { channelStatus } from '../../codes.ts';
import {
  CHANNEL_DEFAULT_TYPE,
  CHANNEL_KEY_MAX_LENGTH,
  CHANNEL_NAME_MAX_LENGTH,
  CHANNEL_REMARK_MAX_LENGTH,
  MODEL_NAME_MAX_LENGTH,
  SETTING_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../../limits.ts';
import { page } from '../../paging.ts';
import { jsonObject, text, textMap, trimmed } from '../../text.ts';
import { was } from '../../was.ts';
import { channelTestReport } from './channel-test-report.ts';
import {
  autoBan,
  baseUrl,
  familyFields,
  groupList,
  modelList,
  listQuery,
  organization,
  orEmpty,
  poolMode,
  priority,
  readOnlyFields,
  searchQuery,
  settings,
  status,
  tagRow,
  familyChannel,
  weight,
} from './channel-fields.ts';

/** A channel as admins see it: its key never leaves the server. */
export const channel = z.object({
  id: z.number(),
  type: z.number(),
  name: z.string(),
  status: z.number(),
  key: z.literal(''),
  /** Another for every key or change of its keys; says nothing about them. */
  key_mark: z.string(),
  openai_organization: z.string(),
  base_url: z.string(),
  other: z.string(),
  models: z.string(),
  group: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  setting: z.string(),
  param_override: z.string(),
  test_model: z.string(),
  max_input_tokens: z.number(),
  priority: z.number(),
  weight: z.number(),
  /** In lists: what part of its priority's calls it gets by its weight, from 0 to 1; absent while it serves nothing. */
  share: z.number().optional(),
  auto_ban: z.number(),
  tag: z.string().nullable(),
  remark: z.string(),
  used_quota: z.number(),
  balance: z.number(),
  balance_updated_time: z.number(),
  response_time: z.number(),
  test_time: z.number(),
  created_time: z.number(),
  other_info: z.string(),
  /** −1: channels do not expire. */
  expired_time: z.number(),
  /** Only of channels that have several keys: how many there are, and how many may be used, now or after a wait. */
  pool: z.object({ mode: poolMode, keys: z.number(), left: z.number() }).optional(),
  /** Only where one channel with free allowances is read: what was given of each today, in its unit. */
  free_today: z
    .array(
      z.object({
        name: z.string(),
        of: z.enum(['tokens', 'calls', 'dollars']),
        given: z.number(),
        amount: z.number(),
      }),
    )
    .optional(),
});

/** A page of channels; with `tag_mode` a page of tags, with all their channels as items, or none with `tag_sums`. */
const channelPage = page(channel).extend({ tags: z.array(tagRow).optional() });

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channel',
  access: 'admin',
  owner: 'any',
  summary:
    'Channels by priority, or newest first with `id_sort`; by tag with `tag_mode`, without their channels with `tag_sums`',
  query: z.object(listQuery),
  data: channelPage,
});

export const searchChannels = endpoint({
  method: 'GET',
  path: '/api/channel/search',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary: 'Channels by id, name, address or whole key, group and model',
  query: z.object({ ...listQuery, ...searchQuery }),
  data: channelPage,
});

export const countChannels = endpoint({
  method: 'GET',
  path: '/api/channel/counts',
  access: 'admin',
  owner: 'any',
  summary:
    'How many channels, of all or of those that a search finds, are enabled, switched off by hand, and switched off by themselves',
  query: z.object({ ...searchQuery, type: listQuery.type }),
  data: z.object({ enabled: z.number(), disabled: z.number(), auto_disabled: z.number() }),
});

export const channelNames = endpoint({
  method: 'GET',
  path: '/api/channel/names',
  access: 'admin',
  owner: 'any',
  summary: 'Names of channels by their ids, separated by commas; deleted ones are left out',
  query: z.object({ ids: z.string().regex(/^\d{1,15}(,\d{1,15}){0,199}$/) }),
  data: z.array(z.object({ id: z.number(), name: z.string() })),
});

export const readChannel = endpoint({
  method: 'GET',
  path: '/api/channel/:id',
  access: 'admin',
  owner: 'any',
  summary: 'One channel, without its key',
  params: idParams,
  data: channel,
});

export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channel',
  access: 'admin',
  owner: 'any',
  summary:
    'Make a channel; several keys, one a line, make one channel each, or one with all of them by `pool_mode`',
  reshape: familyChannel,
  body: z.strictObject({
    type: z.number().int().default(CHANNEL_DEFAULT_TYPE),
    name: trimmed(CHANNEL_NAME_MAX_LENGTH, 'channel_name_and_key').min(1, 'channel_name_and_key'),
    key: trimmed(CHANNEL_KEY_MAX_LENGTH, 'channel_name_and_key').min(1, 'channel_name_and_key'),
    models: modelList,
    status: status.optional(),
    /** Several keys, one a line, become one channel that chooses among them like that. */
    pool_mode: poolMode.optional(),
    ...settings,
    ...readOnlyFields,
    ...familyFields,
    id: readOnly,
  }),
  data: nothing,
});

/** A channel as currently entered in a form. */
export const draft = createChannel.body.extend({
  /** A saved channel, whose key is used if none is entered. */
  id: bodyId.optional(),
  name: text(CHANNEL_NAME_MAX_LENGTH).default(''),
  key: trimmed(CHANNEL_KEY_MAX_LENGTH).default(''),
  /** The model to test; default: the channel's test model, else its first. */
  model: text(MODEL_NAME_MAX_LENGTH).default(''),
  /** Ask for a stream. */
  stream: z.boolean().default(false),
});

export const testUnsavedChannel = endpoint({
  method: 'POST',
  path: '/api/channel/test',
  access: 'admin',
  owner: 'any',
  summary:
    'Send one small request through a channel as it stands in a form; `time` is seconds, `report` what went out and came back',
  body: draft,
  data: nothing,
  fields: z.object({ time: z.number(), report: channelTestReport }),
});

export const updateChannel = endpoint({
  method: 'PUT',
  path: '/api/channel',
  access: 'admin',
  owner: 'any',
  summary:
    'Change the fields that are sent, unless others have changed them since `was`; an empty key keeps the old one',
  reshape: familyChannel,
  body: z.strictObject({
    id: bodyId,
    type: z.number().int().optional(),
    name: trimmed(CHANNEL_NAME_MAX_LENGTH).min(1).optional(),
    key: trimmed(CHANNEL_KEY_MAX_LENGTH).optional(),
    models: modelList.optional(),
    // A full edit of an auto-disabled channel sends its status back; 3 means "leave it".
    status: z.literal([...status.values, channelStatus.autoDisabled]).optional(),
    openai_organization: organization.nullish(),
    base_url: baseUrl.nullish(),
    other: text(SETTING_MAX_LENGTH).nullish(),
    group: groupList.optional(),
    model_mapping: textMap(SETTING_MAX_LENGTH, 'channel_mapping_json').nullish(),
    status_code_mapping: jsonObject(SETTING_MAX_LENGTH).nullish(),
    setting: jsonObject(SETTING_MAX_LENGTH).nullish(),
    param_override: jsonObject(SETTING_MAX_LENGTH).nullish(),
    test_model: trimmed(MODEL_NAME_MAX_LENGTH).nullish(),
    max_input_tokens: z.number().int().min(0).max(1e9).nullish(),
    priority: priority.optional(),
    weight: weight.optional(),
    auto_ban: autoBan.optional(),
    tag: trimmed(100).nullish(),
    remark: trimmed(CHANNEL_REMARK_MAX_LENGTH).nullish(),
    was: was(channel),
    ...readOnlyFields,
    ...familyFields,
  }),
  data: channel,
});

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channel/:id',
  access: 'admin',
  owner: 'any',
  summary: 'Delete a channel; its logs stay',
  params: idParams,
  data: nothing,
});

export const testChannel = endpoint({
  method: 'GET',
  path: '/api/channel/test/:id',
  access: 'admin',
  owner: 'any',
  summary:
    'Send one small request through a channel; not charged; `time` is seconds, `report` what went out and came back',
  params: idParams,
  query: z.object({ model: text(MODEL_NAME_MAX_LENGTH).default(''), stream: flag }),
  data: nothing,
  fields: z.object({ time: z.number(), report: channelTestReport }),
});

const modelIds = z.array(z.string());

export const fetchModels = endpoint({
  method: 'GET',
  path: '/api/channel/fetch_models/:id',
  access: 'admin',
  owner: 'any',
  summary: 'The model names a saved channel offers',
  params: idParams,
  data: modelIds,
});

export const fetchModelsUnsaved = endpoint({
  method: 'POST',
  path: '/api/channel/fetch_models',
  access: 'admin',
  owner: 'none',
  summary: 'The model names an upstream offers to a key that is not saved yet',
  body: z.strictObject({
    base_url: orEmpty(baseUrl),
    type: z.number().int(),
    /** The account, region and the like that some kinds need. */
    other: orEmpty(text(SETTING_MAX_LENGTH)),
    /** The proxy for the call. */
    proxy: orEmpty(trimmed(URL_MAX_LENGTH)),
    key: trimmed(CHANNEL_KEY_MAX_LENGTH, 'channel_key_needed').min(1, 'channel_key_needed'),
  }),
  data: modelIds,
});

export const knownModels = endpoint({
  method: 'GET',
  path: '/api/channel/models',
  access: 'admin',
  owner: 'none',
  summary: 'Every model name known here, as objects with an id',
  data: z.array(z.object({ id: z.string() })),
});

export const enabledModels = endpoint({
  method: 'GET',
  path: '/api/channel/models_enabled',
  access: 'admin',
  owner: 'none',
  summary: 'Names of the models that enabled channels offer',
  data: modelIds,
});
