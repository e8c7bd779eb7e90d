import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BoundSession, BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import type { SeatDayStore } from '#core/channel/seats/seat-day-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createBoundSessionStore } from './bound-session-store.ts';
import { createSeatDayStore } from './seat-day-store.ts';

/** What relays know of channels and is to outlive them. */

const session = (id: string, changes: Partial<BoundSession> = {}): BoundSession => ({
  id,
  userId: 1,
  channelId: 2,
  keyId: 0,
  model: 'm',
  answers: 3,
  promptTokens: 4000,
  usedAtMs: 1000,
  ...changes,
});

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`on ${engine.name}`, () => {
    let opened: TestDatabase;
    let days: SeatDayStore;
    let sessions: BoundSessionStore;
    beforeAll(async () => {
      opened = await engine.create();
      days = createSeatDayStore(opened.database);
      sessions = createBoundSessionStore(opened.database);
    });
    beforeEach(async () => {
      await sessions.forget({});
      await days.deleteBefore(1e9);
    });
    afterAll(() => opened.remove());
    const ids = async (most = 100): Promise<string[]> =>
      (await sessions.usedSince(0, most)).map(({ id }) => id);

    it('calls of a day add up, even if several add at once', async () => {
      const node = createSeatDayStore(await opened.openAgain());
      const many = Array.from({ length: 700 }, (_, seat) => ({ seat, piece: 9, calls: 2 }));
      await Promise.all([...Array.from({ length: 5 }, () => days.add(many)), node.add(many)]);
      await days.add([{ seat: 3, piece: 7, calls: 5 }]);
      const rows = await days.since(8);
      expect(rows).toHaveLength(700);
      expect(rows.every(({ calls }) => calls === 12)).toBe(true);
      await days.deleteBefore(9);
      expect(await days.since(0)).toHaveLength(700);
    });

    it('a session keeps the seat that answered it last, not the one written last', async () => {
      await sessions.save([session('a', { usedAtMs: 2000 }), session('b', { promptTokens: 0 })]);
      await sessions.save([session('a', { usedAtMs: 1500, channelId: 9 })]);
      await sessions.save([session('b', { usedAtMs: 3000, channelId: 8, keyId: 7 })]);
      const { promptTokens: _, ...unknown } = session('b');
      expect(await sessions.usedSince(1000, 10)).toEqual([
        session('a', { usedAtMs: 2000 }),
        { ...unknown, promptTokens: 4000, usedAtMs: 3000, channelId: 8, keyId: 7 },
      ]);
      expect(await ids(1)).toEqual(['b']);
    });

    it('sessions are forgotten by channel and by a literal prefix of the model', async () => {
      await sessions.save([
        session('a', { model: 'gpt_5' }),
        session('b', { model: 'gptx5' }),
        session('c', { model: 'GPT_5' }),
        session('d', { channelId: 5, model: 'gpt_5' }),
      ]);
      await sessions.forget({ channelId: 2, modelPrefix: 'gpt_' });
      expect((await ids()).toSorted()).toEqual(['b', 'c', 'd']);
      await sessions.forget({ channelId: 5 });
      expect((await ids()).toSorted()).toEqual(['b', 'c']);
    });

    it('the table is pruned to its time and its size', async () => {
      await sessions.save(Array.from({ length: 250 }, (_, at) => session(`s${at}`, { usedAtMs: 1000 + at })));
      await sessions.prune(1050, 100);
      expect(await ids(1000)).toEqual(Array.from({ length: 100 }, (_, at) => `s${at + 150}`));
      await sessions.prune(1240, 100);
      expect(await ids(1000)).toHaveLength(10);
    });
  });
}
