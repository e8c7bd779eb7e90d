import {
  deleteChannel,
  listChannels,
  searchChannels,
  testChannel,
  updateChannel,
} from '#contract/api/channels.ts';
import { channelStatus } from '#contract/codes.ts';
import type { Page, View } from '../../kit/resource-table/column.ts';
import { call, callWhole } from '../../lib/api.ts';
import { changeRow } from '../../lib/row-cache.ts';
import { readStored } from '../../lib/stored.ts';
import { CHANNELS, type Channel } from './channel.ts';

/** Where "newest first" is kept. Source: specification, constants. */
export const ID_SORT_KEY = 'id-sort';
export const isIdSorted = (): boolean => readStored(ID_SORT_KEY) === 'true';

export const loadChannels = (view: View, signal: AbortSignal): Promise<Page<Channel>> => {
  const { status, type, group, model } = view.filters;
  const list = {
    p: view.page,
    page_size: view.pageSize,
    id_sort: isIdSorted() ? 'true' : '',
    status: status ?? '',
    type: type ?? '',
  };
  const isSearch = view.search !== '' || Boolean(group) || Boolean(model);
  return isSearch
    ? call(searchChannels, { query: { ...list, keyword: view.search.trim(), group, model } }, signal)
    : call(listChannels, { query: list }, signal);
};

/** On sends 1, off sends 2; the reason of an automatic stop goes with it. */
const statusPatch = (isOn: boolean) => ({ status: isOn ? channelStatus.enabled : channelStatus.disabled });

export const saveStatus = (channel: Channel, isOn: boolean): Promise<Channel> =>
  call(updateChannel, { body: { id: channel.id, ...statusPatch(isOn) } });

export const switchChannel = (channel: Channel, isOn: boolean): Promise<void> =>
  changeRow<Channel>(CHANNELS, channel.id, statusPatch(isOn), () => saveStatus(channel, isOn));

export const changeNumber = (channel: Channel, field: 'priority' | 'weight', value: number): Promise<void> =>
  changeRow<Channel>(CHANNELS, channel.id, { [field]: value }, () =>
    call(updateChannel, { body: { id: channel.id, [field]: value } }),
  );

export const removeChannel = (channel: Channel): Promise<null> =>
  call(deleteChannel, { params: { id: channel.id } });

/** Sends one small request through a channel. @returns seconds it took; throws what the upstream said */
export const probeChannel = async (id: number, model: string, signal?: AbortSignal): Promise<number> => {
  const { time } = await callWhole(testChannel, { params: { id }, query: { model } }, signal);
  return Number(time);
};
