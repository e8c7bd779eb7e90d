import {
  copyChannel,
  deleteChannels,
  deleteDisabledChannels,
  disableTag,
  editTag,
  enableTag,
  fixChannels,
  tagChannels,
} from '#contract/api/channel-batch.ts';
import {
  readRounds,
  stopRound,
  testAllChannels,
  updateAllBalances,
  updateBalance,
} from '#contract/api/channel-checks.ts';
import { listChannels, searchChannels } from '#contract/api/channels.ts';
import type { Data } from '#contract/endpoint.ts';
import type { Page, View } from '../../kit/resource-table/column.ts';
import { call, callWhole } from '../../lib/api.ts';
import { isIdSorted } from './channel-calls.ts';
import type { Channel } from './channel.ts';

/** The query key of the tags. */
export const CHANNEL_TAGS = 'channel-tags';
/** The query key of the progress of background work. */
export const CHANNEL_ROUNDS = 'channel-rounds';

type TagWire = NonNullable<Data<typeof listChannels>['tags']>[number];

/** A tag with its channels. */
export interface TagOfChannels extends TagWire {
  /** The id of its first channel, as a key for the row. */
  readonly id: number;
  readonly children: readonly Channel[];
}

export const loadTags = async (view: View, signal: AbortSignal): Promise<Page<TagOfChannels>> => {
  const { status, type, group, model } = view.filters;
  const list = {
    p: view.page,
    page_size: view.pageSize,
    id_sort: isIdSorted() ? 'true' : '',
    tag_mode: 'true',
    status: status ?? '',
    type: type ?? '',
  };
  const isSearch = view.search !== '' || Boolean(group) || Boolean(model);
  const { items, total, tags } = isSearch
    ? await call(searchChannels, { query: { ...list, keyword: view.search.trim(), group, model } }, signal)
    : await call(listChannels, { query: list }, signal);
  return {
    total,
    items: (tags ?? []).map((tag) => ({
      ...tag,
      id: tag.channels[0] ?? 0,
      children: items.filter((channel) => channel.tag === tag.tag),
    })),
  };
};

export const switchTag = (tag: string, isOn: boolean): Promise<null> =>
  call(isOn ? enableTag : disableTag, { body: { tag } });

export const saveTag = (body: Parameters<typeof call<typeof editTag>>[1] & object): Promise<number> =>
  call(editTag, body);

export const removeMany = (channels: readonly Channel[]): Promise<number> =>
  call(deleteChannels, { body: { ids: channels.map(({ id }) => id) } });

/** Null removes the tag. */
export const tagMany = (channels: readonly Channel[], tag: string | null): Promise<number> =>
  call(tagChannels, { body: { ids: channels.map(({ id }) => id), tag } });

export const removeDisabled = (): Promise<number> => call(deleteDisabledChannels);

export const fixAll = (): Promise<number> => call(fixChannels);

export const duplicate = (channel: Channel, name: string): Promise<number> =>
  call(copyChannel, { params: { id: channel.id }, body: { name } });

/** @returns US dollars */
export const askBalance = async (channel: Channel): Promise<number> => {
  const { balance } = await callWhole(updateBalance, { params: { id: channel.id } });
  return Number(balance);
};

export type RoundKind = 'test' | 'balance';

export const beginRound = (kind: RoundKind): Promise<null> =>
  call(kind === 'test' ? testAllChannels : updateAllBalances);

export const endRound = (kind: RoundKind): Promise<null> => call(stopRound, { params: { kind } });

export const loadRounds = (): Promise<Data<typeof readRounds>> => call(readRounds);
