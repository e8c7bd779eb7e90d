import { expect, it } from 'vitest';
import type { ChannelRow } from './channel.ts';
import { tagRows } from './tag-rows.ts';

const channel = (changes: Partial<ChannelRow>): ChannelRow =>
  ({
    id: 1,
    tag: 'blue',
    status: 1,
    groups: 'default',
    usedQuotaUnits: 0,
    responseTimeMs: 0,
    priority: 0,
    weight: 0,
    ...changes,
  }) as ChannelRow;

it('sums the usage, averages the test times, and shows priority and weight if all are equal', () => {
  const rows = [
    channel({
      id: 1,
      responseTimeMs: 1000,
      usedQuotaUnits: 5,
      priority: 7,
      weight: 1,
      groups: 'vip,default',
    }),
    channel({ id: 2, responseTimeMs: 2000, usedQuotaUnits: 6, priority: 7, weight: 2, status: 2 }),
    // Never tested, so not part of the mean.
    channel({ id: 3, priority: 7, weight: 1, status: 3 }),
    channel({ id: 4, tag: null }),
    channel({ id: 5, tag: '' }),
    channel({ id: 6, tag: 'red', weight: 3 }),
  ];
  expect(tagRows(rows)).toEqual([
    {
      id: 1,
      tag: 'blue',
      count: 3,
      channelIds: [1, 2, 3],
      enabled: 1,
      groups: ['vip', 'default'],
      usedQuotaUnits: 11,
      responseTimeMs: 1500,
      priority: 7,
      weight: null,
    },
    expect.objectContaining({
      id: 6,
      tag: 'red',
      count: 1,
      channelIds: [6],
      responseTimeMs: 0,
      priority: 0,
      weight: 3,
    }),
  ]);
});
