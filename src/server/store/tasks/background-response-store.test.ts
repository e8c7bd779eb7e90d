import { beforeAll, expect, it } from 'vitest';
import type { BackgroundResponse, BackgroundResponseStore } from '#core/kept/background-response.ts';
import { createBackgroundResponseStore } from './background-response-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { givenUser } from '../testing/accounts.ts';

const made: BackgroundResponse = {
  holdId: 'call-1',
  userId: 1,
  responseId: '',
  channelId: 0,
  keyId: 0,
  model: 'gpt-small',
  createdAtMs: 1000,
  askAtMs: 2000,
  bill: '{}',
};

onEachEngine('background responses', (on) => {
  let store: BackgroundResponseStore;
  beforeAll(() => {
    store = createBackgroundResponseStore(on.database);
  });

  it('are found by their owner once the upstream has named them, until they are forgotten', async () => {
    await store.add(made);
    expect(await store.find(1, '')).toBeUndefined();
    await store.change('call-1', { responseId: 'resp_1', channelId: 4, keyId: 5, bill: '{"a":1}' });
    expect(await store.find(1, 'resp_1')).toEqual({
      ...made,
      responseId: 'resp_1',
      channelId: 4,
      keyId: 5,
      bill: '{"a":1}',
    });
    expect(await store.find(2, 'resp_1')).toBeUndefined();
    await store.forget('call-1');
    expect(await store.find(1, 'resp_1')).toBeUndefined();
  });

  it('are asked for when it is time, by one node alone', async () => {
    await store.add({ ...made, holdId: 'due' });
    await store.add({ ...made, holdId: 'later', askAtMs: 9000 });
    const taken = await Promise.all([store.takeDue(3000, 8000, 10), store.takeDue(3000, 8000, 10)]);
    expect(taken.flat().map(({ holdId }) => holdId)).toEqual(['due']);
    const again = await store.takeDue(9000, 20_000, 1);
    expect(again.map(({ holdId }) => holdId)).toEqual(['due']);
    await store.forget('due');
    await store.forget('later');
  });

  it('are asked for at once where the clock was set back since', async () => {
    const dayMs = 86_400_000;
    for (const [responseId, askAtMs] of [
      ['of_tomorrow', dayMs],
      ['soon', 120_000],
      ['', dayMs],
    ] as const)
      await store.add({ ...made, holdId: `id ${responseId}`, responseId, askAtMs });
    expect((await store.takeDue(1, 60_000, 10)).map(({ responseId }) => responseId)).toEqual(['of_tomorrow']);
    expect(await store.takeDue(1, 60_000, 10)).toEqual([]);
  });

  it('keep their holds over a restart, up to the hold’s own time', async () => {
    const { ledger } = on;
    const userId = await givenUser(on.database, ledger, 100);
    const hold = { userId, tokenId: null, quotaUnits: 5, nowMs: 1, expiresAtMs: 10_000 };
    await ledger.hold({ ...hold, id: 'in-background' });
    await ledger.hold({ ...hold, id: 'a-call' });
    await ledger.hold({ ...hold, id: 'nameless' });
    await store.add({ ...made, holdId: 'in-background', userId, responseId: 'resp_7' });
    await store.add({ ...made, holdId: 'nameless', userId });
    expect(await ledger.resolveAbandoned({ createdBeforeMs: 500, expiredAtMs: 500 })).toBe(2);
    expect(await ledger.resolveAbandoned({ createdBeforeMs: 500, expiredAtMs: 10_000 })).toBe(1);
  });
});
