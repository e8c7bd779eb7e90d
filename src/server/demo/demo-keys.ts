import type { ChannelKeyChanges, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { Clock } from '#core/clock.ts';
import { DAY_MS, MINUTE_MS } from '#core/time/spans.ts';

export interface DemoKeyDeps {
  readonly channelKeys: Pick<ChannelKeyStore, 'ofChannels' | 'change'>;
  readonly clock: Clock;
}

/** The channel with several keys, and their number. */
const POOLED_CHANNEL = 2;
const KEYS = 8;

/** The list of keys as it would be pasted. */
export const demoKeys = Array.from(
  { length: KEYS },
  (_, n) => `sk-demo-upstream-key-of-a-pool-${4821 + 733 * n}`,
);

/** The states of the first keys after a week; the others are unchanged. */
const states = (nowMs: number): readonly ChannelKeyChanges[] => [
  { label: 'team account', weight: 3, testedAtMs: nowMs - 20 * MINUTE_MS },
  { label: 'second account', testedAtMs: nowMs - 20 * MINUTE_MS },
  { status: 'spent', reason: 'You exceeded your current quota', untilMs: nowMs + 3 * DAY_MS, rounds: 1 },
  {
    status: 'cooling',
    reason: 'Rate limit reached for requests',
    untilMs: nowMs + 12 * MINUTE_MS,
    rounds: 1,
  },
  { status: 'revoked', reason: 'status 401, Incorrect API key provided' },
  { label: 'for emergencies', status: 'off' },
];

/** Sets the keys of the channel to the states that a week of calls would have caused. */
export const ageKeys = async ({ channelKeys, clock }: DemoKeyDeps): Promise<void> => {
  const nowMs = clock.now();
  const keys = await channelKeys.ofChannels([POOLED_CHANNEL]);
  for (const [n, changes] of states(nowMs).entries()) {
    const changedAtMs = changes.status === undefined ? undefined : nowMs - (n + 1) * 40 * MINUTE_MS;
    const key = keys[n];
    if (key !== undefined)
      await channelKeys.change(POOLED_CHANNEL, key.id, { ...changes, ...(changedAtMs && { changedAtMs }) });
  }
};
