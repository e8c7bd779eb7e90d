import { describe, expect, it } from 'vitest';
import { firstHourOf, healthByChannel } from './health-slots.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 15, 30);
const first = firstHourOf(NOW_MS);
const hour = (place: number, channel_id: number, count: number, failed: number) => ({
  created_at: first + place * 3600,
  channel_id,
  count,
  failed,
});

describe('the health of channels', () => {
  it('begins 23 full hours before the running one', () => {
    expect(new Date(first * 1000).toISOString()).toBe('2026-11-21T16:00:00.000Z');
  });

  it('has a tone for each hour, and none where nobody called', () => {
    const health = healthByChannel(
      [hour(0, 1, 5, 0), hour(1, 1, 5, 4), hour(22, 1, 5, 5), hour(23, 1, 0, 2), hour(3, 2, 1, 0)],
      first,
    );
    const slots = health.get(1)?.slots ?? [];
    expect(slots).toHaveLength(24);
    expect([slots[0], slots[1], slots[2], slots[22], slots[23]]).toEqual([
      'ok',
      'warn',
      'none',
      'bad',
      'bad',
    ]);
    expect(health.get(1)).toMatchObject({ answered: 15, failed: 11 });
    expect(health.get(2)).toMatchObject({ answered: 1, failed: 0 });
    expect(health.get(3)).toBeUndefined();
  });

  it('leaves out hours before the strip begins', () => {
    expect(healthByChannel([hour(-1, 1, 5, 5), hour(24, 1, 5, 5)], first).size).toBe(0);
  });
});
