import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { tagRow } from '#contract/api/channels/channel-fields.ts';
import type { channel, createChannel, updateChannel } from '#contract/api/channels/channels.ts';
import { channelStatus, DEFAULT_GROUP } from '#contract/codes.ts';
import type { Language } from '#contract/messages.ts';
import { parsed } from '#contract/json-text.ts';
import { commaList } from '#contract/text.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { canRecover } from '#core/channel/keys/key-state.ts';
import type { PoolKey } from '#core/channel/keys/pool.ts';
import type { TagRow } from '#core/channel/tag-rows.ts';
import { channelSortKeys } from '#contract/api/channels/channel-fields.ts';
import type { ChannelFilter, ChannelSort } from '#core/channel/channel-store.ts';
import { shownText } from '#core/log/shown-phrase.ts';
import { shownSetting } from '../../../control/channels/channel-proxy.ts';
import type { ChannelEdit, ChannelWish } from '../../../control/channels/channels.ts';
import { toSeconds } from '../page.ts';

type Create = z.infer<typeof createChannel.body>;
type Update = z.infer<typeof updateChannel.body>;

/** A mark that changes whenever the channel's keys are stored anew. Encryption makes it differ each time. */
export const keyMark = ({
  encryptedKey,
  keysVersion = 0,
}: Pick<ChannelRow, 'encryptedKey'> & Partial<Pick<ChannelRow, 'keysVersion'>>): string =>
  createHash('sha256').update(`${keysVersion} ${encryptedKey}`).digest('hex').slice(0, 16);

/** A channel as admins see it, without its key. */
export const channelWire = (
  row: ChannelRow,
  language: Language,
  keys: readonly PoolKey[] = [],
): z.infer<typeof channel> => ({
  id: row.id,
  type: row.type,
  name: row.name,
  status: row.status,
  key: '',
  key_mark: keyMark(row),
  openai_organization: row.organization,
  base_url: row.baseUrl,
  other: row.other,
  models: row.models,
  group: row.groups,
  model_mapping: row.modelMapping,
  status_code_mapping: row.statusCodeMapping,
  setting: shownSetting(row.setting),
  param_override: row.paramOverride,
  test_model: row.testModel,
  max_input_tokens: row.maxInputTokens,
  priority: row.priority,
  weight: row.weight,
  auto_ban: row.autoDisable ? 1 : 0,
  tag: row.tag,
  remark: row.remark,
  used_quota: row.usedQuotaUnits,
  balance: row.balanceUsd,
  balance_updated_time: toSeconds(row.balanceUpdatedAtMs),
  response_time: row.responseTimeMs,
  test_time: toSeconds(row.testedAtMs),
  created_time: toSeconds(row.createdAtMs),
  other_info: shownInfo(row.otherInfo, language),
  expired_time: -1,
  ...(keys.length > 0 && {
    pool: {
      mode: row.poolMode,
      keys: keys.length,
      left: keys.filter(({ state }) => canRecover(state)).length,
    },
  }),
});

/** Since when, and why, a channel is disabled. */
export const switchedOff = (
  { otherInfo }: Pick<ChannelRow, 'otherInfo'>,
  language: Language,
): { readonly reason: string; readonly disabled_time: number } => {
  const info = parsed(otherInfo) as
    | { readonly status_reason?: unknown; readonly status_time?: unknown }
    | undefined;
  return {
    reason: typeof info?.status_reason === 'string' ? shownText(info.status_reason, language) : '',
    disabled_time: typeof info?.status_time === 'number' ? info.status_time : 0,
  };
};

/** The reason of a disabled channel: a phrase of ours, or the upstream's message. */
const shownInfo = (text: string, language: Language): string => {
  const info = parsed(text) as { readonly status_reason?: unknown } | undefined;
  return typeof info?.status_reason === 'string'
    ? JSON.stringify({ ...info, status_reason: shownText(info.status_reason, language) })
    : text;
};

/** The channels of a tag as one row. */
export const tagWire = (row: TagRow): z.infer<typeof tagRow> => ({
  id: row.id,
  tag: row.tag,
  count: row.count,
  channels: [...row.channelIds],
  enabled: row.enabled,
  group: row.groups.join(','),
  used_quota: row.usedQuotaUnits,
  response_time: row.responseTimeMs,
  priority: row.priority,
  weight: row.weight,
});

const tidyList = (text: string): string => commaList(text).join(',');

/** The default of `other` for new channels of a type. Source: specification, channel submit. */
const usualOther: ReadonlyMap<number, string> = new Map([[18, 'v2.1']]);

/** A new channel from an admin's form: lists are cleaned, empty fields get their defaults. */
export const channelWish = (body: Create): ChannelWish => ({
  type: body.type,
  name: body.name,
  key: body.key,
  status: body.status ?? channelStatus.enabled,
  organization: body.openai_organization,
  baseUrl: body.base_url,
  other: body.other || (usualOther.get(body.type) ?? ''),
  models: tidyList(body.models),
  groups: tidyList(body.group) || DEFAULT_GROUP,
  modelMapping: body.model_mapping,
  statusCodeMapping: body.status_code_mapping,
  setting: body.setting,
  paramOverride: body.param_override,
  testModel: body.test_model,
  maxInputTokens: body.max_input_tokens,
  priority: body.priority,
  weight: body.weight,
  autoDisable: body.auto_ban === 1,
  tag: body.tag,
  remark: body.remark,
});

/** Contains only what was sent; null empties a text. */
export const channelEdit = (body: Update): ChannelEdit => {
  const edit: { -readonly [Name in keyof ChannelEdit]: ChannelEdit[Name] | undefined } = {
    key: body.key,
    type: body.type,
    name: body.name,
    status: body.status === channelStatus.autoDisabled ? undefined : body.status,
    organization: orEmpty(body.openai_organization),
    baseUrl: orEmpty(body.base_url),
    other: orEmpty(body.other),
    models: body.models === undefined ? undefined : tidyList(body.models),
    groups: body.group === undefined ? undefined : tidyList(body.group) || DEFAULT_GROUP,
    modelMapping: orEmpty(body.model_mapping),
    statusCodeMapping: orEmpty(body.status_code_mapping),
    setting: orEmpty(body.setting),
    paramOverride: orEmpty(body.param_override),
    testModel: orEmpty(body.test_model),
    maxInputTokens: body.max_input_tokens === null ? 0 : body.max_input_tokens,
    priority: body.priority,
    weight: body.weight,
    autoDisable: body.auto_ban === undefined ? undefined : body.auto_ban === 1,
    tag: body.tag === undefined ? undefined : body.tag || null,
    remark: orEmpty(body.remark),
  };
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as ChannelEdit;
};

const orEmpty = (value: string | null | undefined): string | undefined =>
  value === undefined ? undefined : (value ?? '');

interface ListQuery {
  readonly id_sort: boolean;
  readonly status?: string | undefined;
  readonly type?: number | undefined;
  readonly sort?: string | undefined;
  readonly untagged: boolean;
  readonly tag: string;
}

/** By its names, by the numbers that channels have, and by 0, as programs of this family say that one is not enabled. */
const statuses = new Map<string, NonNullable<ChannelFilter['status']>>([
  ['enabled', 'enabled'],
  ['disabled', 'disabled'],
  ['auto', 'auto'],
  ['0', 'disabled'],
  [String(channelStatus.enabled), 'enabled'],
  [String(channelStatus.disabled), 'manual'],
  [String(channelStatus.autoDisabled), 'auto'],
]);

const statusFilter = (text: string | undefined): Pick<ChannelFilter, 'status'> => {
  const status = statuses.get(text ?? '');
  return status === undefined ? {} : { status };
};

/** Turns the query of a channel list into a filter. */
export const channelFilter = (query: ListQuery): ChannelFilter => ({
  sortById: query.id_sort,
  ...(query.type !== 0 && { type: query.type }),
  ...statusFilter(query.status),
  ...(query.tag !== '' && { tag: query.tag }),
  ...(query.untagged && { isUntagged: true }),
  sort: sortOf(query.sort),
});

interface SearchQuery {
  readonly keyword: string;
  readonly group: string;
  readonly model: string;
}

/** What a search adds to a filter. */
export const searchFilter = ({ keyword, group, model }: SearchQuery) => ({
  keyword: keyword.trim(),
  ...(group !== '' && { group }),
  ...(model !== '' && { model }),
});

const sortOf = (text: string | undefined): ChannelSort | undefined => {
  const key = channelSortKeys.find((one) => text === one || text === `-${one}`);
  return key === undefined ? undefined : { key, isDescending: text !== key };
};
