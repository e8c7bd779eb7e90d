import { beforeAll, expect, it } from 'vitest';
import type { AvailabilityRow, AvailabilityStore } from '#core/availability/availability.ts';
import { DAY_S, HOUR_S } from '#core/time/spans.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createAvailabilityStore } from './availability-store.ts';

const row = (more: Partial<AvailabilityRow> = {}): AvailabilityRow => ({
  stretch: HOUR_S,
  start: 36_000,
  group: 'default',
  model: 'gpt-4o',
  measure: 'answered',
  bucket: 0,
  calls: 2,
  callers: 1,
  ...more,
});
const ask = {
  stretch: HOUR_S,
  fromS: 36_000,
  groups: ['default', 'vip'],
  models: ['gpt-4o', 'none'],
} as const;

onEachEngine('availability', (on) => {
  let store: AvailabilityStore;
  beforeAll(() => {
    store = createAvailabilityStore(on.database);
  });

  it('adds up what several nodes write at once, and joins their callers', async () => {
    const node = (callers: number) =>
      store.add([
        row({ callers }),
        row({ callers, group: 'vip' }),
        row({ callers, group: 'secret' }),
        row({ callers, model: 'other' }),
        row({ callers, start: 32_400 }),
        row({ callers, stretch: DAY_S, start: 0 }),
        row({ callers, measure: 'first_token', bucket: 39 }),
      ]);
    await Promise.all([1, 2, 4, 2].map(node));
    // The same callers in both groups: the groups are one sum.
    expect(await store.calls(ask)).toEqual([
      { start: 36_000, model: 'gpt-4o', measure: 'answered', bucket: 0, calls: 16, callers: 7 },
    ]);
    expect(await store.firstTokens(ask)).toEqual([
      { start: 0, model: 'gpt-4o', measure: 'first_token', bucket: 39, calls: 8, callers: 7 },
    ]);
    expect(await store.calls({ ...ask, models: [] })).toEqual([]);
  });

  it('forgets hours before days', async () => {
    await store.deleteBefore(HOUR_S, 72_000);
    expect(await store.calls(ask)).toEqual([]);
    expect(await store.calls({ ...ask, stretch: DAY_S, fromS: 0 })).toMatchObject([{ calls: 8 }]);
  });
});
