import {
  copyChannel,
  deleteChannels,
  deleteDisabledChannels,
  disableTag,
  editTag,
  enableTag,
  fixChannels,
  tagChannels,
} from '#contract/api/channels/channel-batch.ts';
import {
  readRounds,
  stopRound,
  testAllChannels,
  updateAllBalances,
  updateBalance,
} from '#contract/api/channels/channel-checks.ts';
import { listChannels, searchChannels } from '#contract/api/channels/channels.ts';
import type { Data } from '#contract/endpoint.ts';
import type { Page, View } from '../../kit/resource-table/column.ts';
import { call, callWhole } from '../../lib/server/api.ts';
import { isIdSorted } from './channel-calls.ts';
import type { Channel } from './channel.ts';

/** The query key of the progress of background work. */
export const CHANNEL_ROUNDS = 'channel-rounds';

/** A tag, with the sums of its channels. */
export type TagOfChannels = NonNullable<Data<typeof listChannels>['tags']>[number];

/** The search and filters of a list of channels. */
export type Narrowed = Pick<View, 'search' | 'filters'>;
/** The shown page of the list. */
export type Part = Pick<View, 'page' | 'pageSize'>;

const ask = (
  { search, filters }: Narrowed,
  { page, pageSize }: Part,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Data<typeof listChannels>> => {
  const { status, type, group, model } = filters;
  const list = { ...more, p: page, page_size: pageSize, status: status ?? '', type: type ?? '' };
  return search !== '' || Boolean(group) || Boolean(model)
    ? call(searchChannels, { query: { ...list, keyword: search.trim(), group, model } }, signal)
    : call(listChannels, { query: list }, signal);
};

const order = () => ({ id_sort: isIdSorted() ? 'true' : '' });

/** A page of tags without their channels, which may be thousands: those of a tag are read when it is opened. */
export const loadTags = async (view: View, signal: AbortSignal): Promise<Page<TagOfChannels>> => {
  const { total, tags } = await ask(view, view, { tag_mode: 'true', tag_sums: 'true' }, signal);
  return { total, items: tags ?? [] };
};

/** A page of a tag's channels: all of them, whatever the tags were narrowed by. */
export const loadTagged = (tag: string, part: Part, signal: AbortSignal): Promise<Page<Channel>> =>
  ask({ search: '', filters: {} }, part, { ...order(), tag }, signal);

export const loadUntagged = (narrowed: Narrowed, part: Part, signal: AbortSignal): Promise<Page<Channel>> =>
  ask(narrowed, part, { ...order(), untagged: 'true' }, signal);

export const switchTag = (tag: string, isOn: boolean): Promise<null> =>
  call(isOn ? enableTag : disableTag, { body: { tag } });

export const saveTag = (body: Parameters<typeof call<typeof editTag>>[1] & object): Promise<number> =>
  call(editTag, body);

export const removeMany = (channels: readonly Channel[]): Promise<number> =>
  call(deleteChannels, { body: { ids: channels.map(({ id }) => id) } });

/**
 * Null removes the tag.
 * @param shown the channels as they were shown: those whose tag others have changed since are refused
 */
export const tagMany = (
  channels: readonly Channel[],
  tag: string | null,
  shown = channels,
): Promise<number> =>
  call(tagChannels, {
    body: {
      ids: channels.map(({ id }) => id),
      tag,
      was: shown.map(({ id, tag: seen }) => ({ id, tag: seen })),
    },
  });

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
