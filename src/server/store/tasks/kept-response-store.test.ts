import { beforeAll, expect, it } from 'vitest';
import type { KeptResponse, KeptResponseStore } from '#core/kept/kept-response.ts';
import { createKeptResponseStore } from './kept-response-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

const kept: KeptResponse = {
  userId: 1,
  responseId: 'resp_1',
  tokenId: 3,
  channelId: 4,
  keyIndex: 0,
  model: 'gpt-small',
  contextTokens: 6,
  createdAtMs: 1000,
  expiresAtMs: 2000,
};

onEachEngine('kept responses', (on) => {
  let store: KeptResponseStore;
  beforeAll(() => {
    store = createKeptResponseStore(on.database);
  });

  it('are found by their owner alone, until they end', async () => {
    await store.add([kept, { ...kept, responseId: 'resp_2', channelId: 5 }]);
    expect(await store.find(1, 'resp_1', 1999)).toEqual(kept);
    expect((await store.find(1, 'resp_2', 1999))?.channelId).toBe(5);
    expect(await store.find(2, 'resp_1', 1999)).toBeUndefined();
    expect(await store.find(1, 'resp_1', 2000)).toBeUndefined();
    const holders = await store.holders(['resp_1', 'resp_9', 'resp_2'], 1999);
    expect(holders.map(({ responseId }) => responseId).toSorted()).toEqual(['resp_1', 'resp_2']);
    expect(await store.holders(['resp_1'], 2000)).toEqual([]);
  });

  it('of the same id belong to each owner separately, and an owner’s latest one counts', async () => {
    await store.add([
      { ...kept, userId: 7, channelId: 8 },
      { ...kept, userId: 7, channelId: 9 },
      { ...kept, userId: 8, channelId: 10 },
    ]);
    await store.add([{ ...kept, userId: 8, channelId: 11, contextTokens: 60, expiresAtMs: 3000 }]);
    expect((await store.find(7, 'resp_1', 1500))?.channelId).toBe(9);
    expect(await store.find(8, 'resp_1', 2500)).toMatchObject({
      channelId: 11,
      contextTokens: 60,
      expiresAtMs: 3000,
    });
  });

  it('are gone when they are forgotten or have expired', async () => {
    await store.add([
      { ...kept, responseId: 'gone' },
      { ...kept, responseId: 'later', expiresAtMs: 5000 },
    ]);
    await store.forget(1, 'gone');
    expect(await store.find(1, 'gone', 1500)).toBeUndefined();
    await store.deleteExpired(2000);
    expect(await store.find(1, 'resp_1', 0)).toBeUndefined();
    expect(await store.find(1, 'later', 0)).toBeDefined();
  });
});
