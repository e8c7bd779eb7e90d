import type { z } from 'zod';
import type { channel } from '#contract/api/channels/channels.ts';
import { NANO_PER_USD } from '#contract/limits.ts';
import type { Channel } from '#core/channel/channel.ts';
import { limitOf } from '#core/cost/allowance.ts';
import type { AllowanceStore } from '#core/cost/allowance-store.ts';
import { localDay } from '#core/time/local-day.ts';

type FreeToday = NonNullable<z.infer<typeof channel>['free_today']>;

/** What was given today of a channel's free allowances; of an allowance that each key has, of all its keys together. */
export const freeToday = async (
  store: Pick<AllowanceStore, 'given'>,
  channel: Channel | undefined,
  nowMs: number,
): Promise<{ free_today?: FreeToday }> => {
  const allowances = channel?.setting.cost?.allowances;
  if (channel === undefined || allowances === undefined) return {};
  const given = await store.given(
    allowances.map(({ name, of: unit, zone, by }) => ({
      day: localDay(zone, nowMs),
      channelId: by === 'name' ? 0 : channel.id,
      unit,
      name,
    })),
  );
  const today = allowances.map((allowance, at) => {
    const { name, of, by } = allowance;
    const each = of === 'dollars' ? NANO_PER_USD : 1;
    const keys = by === 'key' ? Math.max(1, channel.pool.length) : 1;
    return { name, of, given: (given[at] ?? 0) / each, amount: (limitOf(allowance) * keys) / each };
  });
  return { free_today: today };
};
