import { expect, test } from 'vitest';
import type { ChannelKeyRow, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { enabledKey } from '#core/channel/keys/key-state.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { createKeyCare } from './key-care.ts';

const nobody = (): never => {
  throw new Error('not asked in this test');
};

const refusal = {
  reason: 'no',
  retryAfterSeconds: undefined,
  mayDisable: true,
  isLasting: false,
  isTrial: false,
};

test('a hundred calls that the only key of a channel refuses look for the same key once in ten seconds, for each reason', async () => {
  let nowMs = 0;
  const lookedFor: number[] = [];
  const { forRelay } = createKeyCare({
    channels: { autoDisable: nobody, byId: nobody },
    channelBatch: { autoEnable: nobody },
    channelKeys: {
      byId: nobody,
      change: nobody,
      counts: nobody,
      twins: nobody,
      loneTwins: nobody,
      loneKey: async (channelId) => {
        lookedFor.push(channelId);
        return undefined;
      },
    },
    notices: { tell: nobody, tellKey: nobody },
    autoDisable: nobody,
    restChannel: nobody,
    refreshRouting: nobody,
    clock: { now: () => nowMs, monotonic: () => nowMs },
    log: { info: nobody, warn: nobody, error: nobody },
  });
  const storm = async (channelId: number, verdict: 'revoked' | 'spent'): Promise<void> => {
    for (let call = 0; call < 100; call += 1) {
      forRelay.keyRefused({ channelId, keyId: 0, sinceMs: nowMs, refusal: { ...refusal, verdict } });
      await new Promise(setImmediate);
    }
  };
  await storm(7, 'revoked');
  expect(lookedFor).toEqual([7]);
  await storm(8, 'revoked');
  await storm(7, 'spent');
  expect(lookedFor).toEqual([7, 8, 7]);
  nowMs = 9999;
  await storm(7, 'revoked');
  expect(lookedFor).toEqual([7, 8, 7]);
  nowMs = 10_000;
  await storm(7, 'revoked');
  expect(lookedFor).toEqual([7, 8, 7, 7]);
});

test.each([
  ['before the call', 900, true],
  ['after the call began', 1500, false],
  ['by a clock that was ahead and has been set back', 9_000_000, true],
])('a key that was changed %s is refused: %s ms, %s', async (_, changedAtMs, isRefused) => {
  const row = standIn<ChannelKeyRow>({ ...enabledKey, id: 3, channelId: 7, changedAtMs });
  const states: unknown[] = [];
  const care = createKeyCare(
    standIn<Parameters<typeof createKeyCare>[0]>({
      channelKeys: standIn<ChannelKeyStore>({
        byId: async () => row,
        change: async (channelId, keyId, { status }) => {
          states.push([channelId, keyId, status]);
          return 'changed';
        },
        twins: async () => [],
        loneTwins: async () => [],
      }),
      refreshRouting: async () => undefined,
      clock: { now: () => 2000, monotonic: () => 5 },
      log: { info: nobody, warn: () => {}, error: nobody },
    }),
  );
  await care.refused({
    channelId: 7,
    keyId: 3,
    sinceMs: 1000,
    refusal: { ...refusal, mayDisable: false, verdict: 'spent' },
  });
  expect(states).toEqual(isRefused ? [[7, 3, 'spent']] : []);
});
