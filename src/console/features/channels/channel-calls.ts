import {
  deleteChannel,
  listChannels,
  searchChannels,
  testChannel,
  updateChannel,
} from '#contract/api/channels/channels.ts';
import type { ChannelTestReport } from '#contract/api/channels/channel-test-report.ts';
import { channelStatus } from '#contract/codes.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import { call, callWhole } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/query.ts';
import { changeRow } from '../../lib/server/row-cache.ts';
import { readStored } from '../../lib/browser/stored.ts';
import { CHANNELS, type Channel } from './channel.ts';
import { reportIn } from './tests/test-report.ts';

/** The storage key of "newest first". Source: specification, constants. */
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
    sort: sortText(view.sort),
  };
  const isSearch = view.search !== '' || Boolean(group) || Boolean(model);
  return isSearch
    ? call(searchChannels, { query: { ...list, keyword: view.search.trim(), group, model } }, signal)
    : call(listChannels, { query: list }, signal);
};

/** Sends status 1 for on and 2 for off, and clears the reason of an automatic disable. */
const statusPatch = (to: 'on' | 'off') => ({
  status: to === 'on' ? channelStatus.enabled : channelStatus.disabled,
});

export const saveStatus = (channel: Channel, to: 'on' | 'off'): Promise<Channel> =>
  call(updateChannel, { body: { id: channel.id, ...statusPatch(to), was: { status: channel.status } } });

export const switchChannel = (channel: Channel, to: 'on' | 'off'): Promise<void> =>
  changeRow<Channel>(CHANNELS, channel.id, statusPatch(to), () => saveStatus(channel, to)).then(() =>
    queryClient.invalidateQueries({ queryKey: [CHANNELS, 'counts'] }),
  );

export const changeNumber = async (
  channel: Channel,
  field: 'priority' | 'weight',
  value: number,
): Promise<void> => {
  await changeRow<Channel>(CHANNELS, channel.id, { [field]: value }, () =>
    call(updateChannel, { body: { id: channel.id, [field]: value, was: { [field]: channel[field] } } }),
  );
  // Changes the shares of the other channels too, so all are reloaded.
  if (field === 'weight') await queryClient.invalidateQueries({ queryKey: [CHANNELS] });
};

export const saveRemark = (channel: Channel, remark: string): Promise<void> =>
  changeRow<Channel>(CHANNELS, channel.id, { remark }, () =>
    call(updateChannel, { body: { id: channel.id, remark, was: { remark: channel.remark } } }),
  );

export const removeChannel = (channel: Channel): Promise<null> =>
  call(deleteChannel, { params: { id: channel.id } });

/** The result of a channel test. */
export interface Probed {
  readonly milliseconds: number;
  readonly report: ChannelTestReport | undefined;
}

/** Sends a small test request through a channel. Throws the upstream's error. */
export const probeChannel = async (id: number, model: string, stream = false): Promise<Probed> => {
  const query = { model, ...(stream && { stream: 'true' }) };
  const { time, ...fields } = await callWhole(testChannel, { params: { id }, query });
  return { milliseconds: Number(time) * 1000, report: reportIn(fields) };
};
