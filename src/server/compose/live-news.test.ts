import { expect, it } from 'vitest';
import { FIELD, seriesOf, totalsOf } from '#core/channel/live-sums.ts';
import type { News } from '#core/news.ts';
import { LivePulses } from '../relay/route/live-pulses.ts';
import { LiveNews } from './live-news.ts';

/** A message from one relay reaches all others at once. */
const newsOf = (nodes: number): readonly News[] => {
  const listeners = Array.from({ length: nodes }, () => new Map<string, (body: string) => void>());
  return listeners.map((own) => ({
    tell: (topic, body) => {
      for (const other of listeners) if (other !== own) other.get(topic)?.(body);
    },
    hear: (topic, listener) => {
      own.set(topic, listener);
      return () => undefined;
    },
  }));
};

const clockOf = () => {
  const time = { ms: 1_000_000_000_000 };
  return { time, clock: { now: () => time.ms, monotonic: () => time.ms } };
};

const nodeOf = (news: News | undefined, clock: ReturnType<typeof clockOf>['clock']) => {
  if (news === undefined) throw new Error('no news');
  const pulses = new LivePulses();
  return {
    pulses,
    live: new LiveNews({ news, clock, relay: { pulses }, others: { pulses: async () => [] } }),
  };
};

it('the calls of another node are on the board from the second look on, for some seconds', async () => {
  const { time, clock } = clockOf();
  const [one, other] = newsOf(2);
  const here = nodeOf(one, clock);
  const there = nodeOf(other, clock);
  const pulse = there.pulses.began({ id: 7, keyId: 0 }, 'default', 'a', time.ms);
  pulse.firstToken(200, time.ms);
  pulse.read(1000, 250, time.ms);

  expect(here.live.reports()).toEqual([]);
  await expect.poll(() => here.live.reports().length).toBe(1);
  const sums = here.live.reports()[0]?.channels[0];
  if (sums === undefined) throw new Error('no channel');
  expect([sums.channelId, sums.inFlight, sums.routes]).toEqual([7, 1, ['default\na']]);
  expect(seriesOf(sums.counts, 'calls').at(-1)).toBe(1);
  const totals = totalsOf(sums.counts);
  expect([totals[FIELD.firstMs], totals[FIELD.prompt], totals[FIELD.cached]]).toEqual([200, 1000, 250]);

  time.ms += 60_000;
  expect(here.live.reports()).toEqual([]);
});

it('messages that do not read are ignored', () => {
  const { clock } = clockOf();
  const [one, other] = newsOf(2);
  const { live } = nodeOf(one, clock);
  for (const body of ['', '{', '[]', '{"node":"x","channel":1}', `{"node":"x","channel":1e99}`])
    other?.tell('live-told', body);
  expect(live.reports()).toEqual([]);
});
