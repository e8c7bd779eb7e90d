import type { createChannel, updateChannel } from '#contract/api/channels/channels.ts';
import { keyHomeOf } from '#contract/channel/key-home.ts';
import { channelType } from '#contract/channel-types.ts';
import { DEFAULT_GROUP } from '#contract/codes.ts';
import type { Sent } from '#contract/endpoint.ts';
import { changesWith } from '../../../lib/server/changed-meanwhile.ts';
import { listOf, type Channel } from '../channel.ts';
import { withoutProxy, withProxy } from './channel-proxy.ts';
import { withoutEnd } from '#contract/without-end.ts';

/** The form's values. Numbers are undefined while their field is empty. */
export interface ChannelValues {
  readonly type: string;
  readonly name: string;
  readonly key: string;
  /** For a new channel: several keys make one channel with all of them, not one channel each. */
  readonly is_pool: boolean;
  readonly base_url: string;
  readonly openai_organization: string;
  readonly other: string;
  readonly models: string[];
  readonly groups: string[];
  readonly test_model: string;
  readonly priority: number | undefined;
  readonly weight: number | undefined;
  readonly tag: string;
  readonly auto_ban: boolean;
  readonly max_input_tokens: number | undefined;
  readonly model_mapping: string;
  readonly status_code_mapping: string;
  /** The settings without the proxy, which has its own field. */
  readonly setting: string;
  readonly proxy: string;
  readonly param_override: string;
}

export const OPENAI_TYPE = 1;
export const CUSTOM_TYPE = 8;
const SPARK_TYPE = 18;
export const VERTEX_TYPE = 41;

/** The default of `other` for an iFlytek channel. Source: specification, channel submit. */
const SPARK_VERSION = 'v2.1';

/** Source: specification, constants. */
export const newChannel: ChannelValues = {
  type: String(OPENAI_TYPE),
  name: '',
  key: '',
  is_pool: false,
  base_url: '',
  openai_organization: '',
  other: '',
  models: [],
  groups: [DEFAULT_GROUP],
  test_model: '',
  priority: 0,
  weight: 0,
  tag: '',
  auto_ban: true,
  max_input_tokens: 0,
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  proxy: '',
  param_override: '',
};

export const valuesOf = (channel: Channel): ChannelValues => ({
  type: String(channel.type),
  name: channel.name,
  key: '',
  is_pool: false,
  base_url: channel.base_url,
  openai_organization: channel.openai_organization,
  other: channel.other,
  models: listOf(channel.models),
  groups: listOf(channel.group),
  test_model: channel.test_model,
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag ?? '',
  auto_ban: channel.auto_ban === 1,
  max_input_tokens: channel.max_input_tokens,
  model_mapping: channel.model_mapping,
  status_code_mapping: channel.status_code_mapping,
  ...withoutProxy(channel.setting),
  param_override: channel.param_override,
});

type CreateBody = NonNullable<Sent<typeof createChannel>['body']>;
type UpdateBody = NonNullable<Sent<typeof updateChannel>['body']>;

const trimUrl = (url: string): string => withoutEnd(url.trim(), '/');

const settingsOf = (values: ChannelValues) => ({
  type: Number(values.type),
  name: values.name.trim(),
  base_url: trimUrl(values.base_url),
  openai_organization: values.openai_organization.trim(),
  other: values.other.trim(),
  models: values.models.join(','),
  group: values.groups.join(','),
  test_model: values.test_model.trim(),
  priority: Math.trunc(values.priority ?? 0),
  weight: Math.max(0, Math.trunc(values.weight ?? 0)),
  tag: values.tag.trim(),
  auto_ban: values.auto_ban ? (1 as const) : (0 as const),
  max_input_tokens: values.max_input_tokens ?? 0,
  model_mapping: values.model_mapping.trim(),
  status_code_mapping: values.status_code_mapping.trim(),
  setting: withProxy(values.setting, values.proxy),
  param_override: values.param_override.trim(),
});

export const createBody = (values: ChannelValues): Omit<CreateBody, 'id'> => ({
  ...settingsOf(values),
  key: values.key.trim(),
  ...(makesPool(values) && { pool_mode: 'in_turn' as const }),
});

/**
 * Only the changed fields, so that two admins, or an admin and an automatic disable, do not overwrite each other.
 * @param shown the channel as it was last read: the server refuses fields that others have changed since
 */
export const updateBody = (before: Channel, values: ChannelValues, shown = before): UpdateBody => {
  const old = { ...settingsOf(valuesOf(before)), key: '' };
  return { id: before.id, ...changesWith(old, { ...settingsOf(values), key: values.key.trim() }, shown) };
};

/** How many keys are entered: each makes a channel, or all make one. A service account is one key of several lines. */
export const keyCount = (values: Pick<ChannelValues, 'key' | 'type'>): number => {
  if (Number(values.type) === VERTEX_TYPE && values.key.trim().startsWith('{')) return 1;
  const lines = values.key.split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => line !== '')).size;
};

/** Whether a new channel gets several keys. */
export const makesPool = (values: Pick<ChannelValues, 'key' | 'type' | 'is_pool'>): boolean =>
  values.is_pool && keyCount(values) > 1;

/**
 * The host the stored key is bound to, if the form would send it to another one: then the key must be entered again.
 * Otherwise undefined.
 */
export const keyLeaves = (before: Channel, values: ChannelValues): string | undefined => {
  const type = Number(values.type);
  const home = keyHomeOf(before.type, before.base_url);
  if (type === before.type && home === keyHomeOf(type, values.base_url)) return undefined;
  return home || (channelType(before.type)?.label ?? '');
};

/** Fills in the default version for iFlytek, and removes it when the type changes. */
export const otherFor = (type: number, other: string): string => {
  if (type === SPARK_TYPE && other === '') return SPARK_VERSION;
  return type !== SPARK_TYPE && other === SPARK_VERSION ? '' : other;
};
