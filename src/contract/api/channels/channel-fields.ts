import { z } from 'zod';
import { channelStatus, DEFAULT_GROUP } from '../../codes.ts';
import {
  CHANNEL_PRIORITY_MAX,
  CHANNEL_PRIORITY_MIN,
  CHANNEL_REMARK_MAX_LENGTH,
  CHANNEL_TAG_MAX_LENGTH,
  CHANNEL_WEIGHT_MAX,
  MODEL_NAME_MAX_LENGTH,
  SEARCH_MAX_LENGTH,
  SETTING_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../../limits.ts';
import { flag, ignored, readOnly } from '../../endpoint.ts';
import { pageQuery, sortQuery } from '../../paging.ts';
import {
  filterNumber,
  headerText,
  jsonObject,
  text,
  textMap,
  trimmed,
  wholeNumber,
  withCommas,
} from '../../text.ts';
import { withoutEnd } from '../../without-end.ts';

/** The fields of a channel, shared by several calls. */

export const priority = wholeNumber('channel_priority_integer').pipe(
  z.number().min(CHANNEL_PRIORITY_MIN).max(CHANNEL_PRIORITY_MAX),
);
export const weight = wholeNumber('channel_weight_natural')
  .pipe(z.number().max(CHANNEL_WEIGHT_MAX))
  .transform((value) => Math.max(0, value));
export const status = z.literal([channelStatus.enabled, channelStatus.disabled]);
export const autoBan = z.literal([0, 1]);
export const baseUrl = trimmed(URL_MAX_LENGTH).transform((url) => withoutEnd(url, '/'));
/** Goes out in a header. */
export const organization = headerText(200).trim();
/** How a channel that has several keys chooses the next one. */
export const poolMode = z.enum(['in_turn', 'random', 'least_used']);
export const groupList = trimmed(4096).transform(withCommas);
// An issue that is a key of messages.ts is answered with that message.
export const modelList = trimmed(SETTING_MAX_LENGTH, 'channel_models_needed')
  .min(1, 'channel_models_needed')
  .transform(withCommas);
export const orEmpty = <Schema extends z.ZodType<string>>(schema: Schema) =>
  z.nullish(schema).transform((value) => value ?? '');

/** Defaults of a new channel. An update fills in nothing. */
export const settings = {
  openai_organization: orEmpty(organization),
  base_url: orEmpty(baseUrl),
  other: orEmpty(text(SETTING_MAX_LENGTH)),
  group: groupList.default(DEFAULT_GROUP),
  model_mapping: orEmpty(textMap(SETTING_MAX_LENGTH, 'channel_mapping_json')),
  status_code_mapping: orEmpty(jsonObject(SETTING_MAX_LENGTH)),
  setting: orEmpty(jsonObject(SETTING_MAX_LENGTH)),
  param_override: orEmpty(jsonObject(SETTING_MAX_LENGTH)),
  test_model: orEmpty(trimmed(MODEL_NAME_MAX_LENGTH)),
  max_input_tokens: z
    .number()
    .int()
    .min(0)
    .max(1e9)
    .nullish()
    .transform((value) => value ?? 0),
  priority: priority.nullish().transform((value) => value ?? 0),
  weight: weight.nullish().transform((value) => value ?? 0),
  auto_ban: autoBan.default(1),
  tag: trimmed(100)
    .nullish()
    .transform((value) => value || null),
  remark: orEmpty(trimmed(CHANNEL_REMARK_MAX_LENGTH)),
};

/** The columns a list of channels can be sorted by. */
export const channelSortKeys = [
  'name',
  'priority',
  'weight',
  'response',
  'quota',
  'balance',
  'created',
] as const;

/** What a list of channels is asked with. */
export const listQuery = {
  ...pageQuery,
  id_sort: flag,
  tag_mode: flag,
  /** With `tag_mode`: what the channels of each tag come to, without the channels. */
  tag_sums: flag,
  /** Only channels that have exactly this tag; empty for all. */
  tag: text(CHANNEL_TAG_MAX_LENGTH).default(''),
  untagged: flag,
  status: z.string().max(20).optional(),
  type: filterNumber,
  ...sortQuery(...channelSortKeys),
};

/** The channels of one tag as one row; priority and weight are null where they differ. */
export const tagRow = z.object({
  /** The lowest id among its channels: the row's own, whatever their order. */
  id: z.number(),
  tag: z.string(),
  count: z.number(),
  /** Empty with `tag_sums`. */
  channels: z.array(z.number()),
  enabled: z.number(),
  group: z.string(),
  used_quota: z.number(),
  response_time: z.number(),
  priority: z.number().nullable(),
  weight: z.number().nullable(),
});

/** What is looked for in channels. */
export const searchQuery = {
  keyword: text(SEARCH_MAX_LENGTH).default(''),
  group: text(64).default(''),
  model: text(MODEL_NAME_MAX_LENGTH).default(''),
};

/** What a channel tells and no edit changes. */
export const readOnlyFields = {
  key_mark: readOnly,
  used_quota: readOnly,
  balance: readOnly,
  balance_updated_time: readOnly,
  response_time: readOnly,
  test_time: readOnly,
  created_time: readOnly,
  other_info: readOnly,
  pool: readOnly,
  share: readOnly,
  free_today: readOnly,
  expired_time: readOnly,
};

const isNothing = (value: unknown): boolean =>
  typeof value === 'string'
    ? ['', '{}'].includes(value.replaceAll(/\s/g, ''))
    : Object.keys(Object(value) as object).length === 0;

/** Fields of this family's channels that have no effect here. Headers that somebody counts on are not dropped in silence. */
export const familyFields = {
  header_override: ignored.refine(isNothing, 'channel_header_override'),
  settings: ignored,
  channel_info: ignored,
  multi_key_mode: ignored,
  key_mode: ignored,
};

/** What newer panels of this family send beside a channel: `mode`, and how a channel of several keys chooses among them. */
const besideChannel = {
  mode: z.enum(['single', 'batch', 'multi_to_single']),
  multi_key_mode: z.enum(['random', 'polling', '']).catch('').optional(),
  batch_add_set_key_prefix_2_name: ignored,
};

/**
 * A channel as panels of this family send it: alone or in `{mode, channel}`. Several keys, one per line, make one channel
 * each, or one with all of them where the mode is `multi_to_single`. Of a wrapping that is none of these all fields stay,
 * to be refused by their names.
 */
export const familyChannel = (body: unknown): unknown => {
  const { channel: wrapped, ...beside } = z
    .looseObject({ channel: z.record(z.string(), z.unknown()) })
    .catch({ channel: {} })
    .parse(body);
  if (Object.keys(wrapped).length === 0) return withGroup(body);
  const { success, data } = z.strictObject(besideChannel).safeParse(beside);
  if (!success) return { ...wrapped, ...beside };
  const pool_mode = data.multi_key_mode === 'random' ? 'random' : 'in_turn';
  return withGroup(data.mode === 'multi_to_single' ? { ...wrapped, pool_mode } : wrapped);
};

const groupLists = z.looseObject({ group: z.string().optional(), groups: z.array(z.string()) });

/** Their forms keep the groups as a list, which goes out beside the comma text that is made of it; the text counts. */
const withGroup = (channel: unknown): unknown => {
  const { success, data } = groupLists.safeParse(channel);
  if (!success) return channel;
  const { groups, group = groups.join(','), ...rest } = data;
  return { ...rest, group };
};
