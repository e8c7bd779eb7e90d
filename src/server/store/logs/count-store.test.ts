import { beforeAll, expect, it } from 'vitest';
import type { CountStore } from '#core/limits/count-store.ts';
import { createCountStore } from './count-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

onEachEngine('counts', (on) => {
  let counts: CountStore;
  beforeAll(() => {
    counts = createCountStore(on.database);
  });

  it('count each of many at once, and end with the window that the first began', async () => {
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, at) => counts.count('many', 500, 1000 + at)),
    );
    expect(many.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const [first] = many;
    expect(new Set(many.map(({ endsAtMs }) => endsAtMs))).toEqual(new Set([first?.endsAtMs]));
  });

  it('begin anew when the window has ended, or when they are forgotten', async () => {
    expect(await counts.count('anew', 500, 1000)).toEqual({ count: 1, endsAtMs: 1500 });
    expect(await counts.count('anew', 500, 1499)).toEqual({ count: 2, endsAtMs: 1500 });
    expect(await counts.count('anew', 500, 1500)).toEqual({ count: 1, endsAtMs: 2000 });
    expect((await counts.count('anew', 500, 1501)).count).toBe(2);
    await counts.forget('anew');
    expect((await counts.count('anew', 500, 1502)).count).toBe(1);
  });

  it('do not wait for a clock that was put back, and survive two clocks that differ a little', async () => {
    await counts.count('back', 500, 90_000);
    expect(await counts.count('back', 500, 1000)).toEqual({ count: 1, endsAtMs: 1500 });
    expect((await counts.count('back', 500, 900)).count).toBe(2);
  });

  it('are those of every node, and of a database that was closed meanwhile', async () => {
    await counts.count('shared', 500, 1000);
    const again = await on.openAgain();
    expect((await createCountStore(again).count('shared', 500, 1001)).count).toBe(2);
    await again.close();
    expect((await counts.count('shared', 500, 1002)).count).toBe(3);
  });

  it('that have ended are removed, and no other', async () => {
    await counts.count('old', 100, 1000);
    await counts.count('young', 100_000, 1000);
    await counts.deleteEnded(50_000);
    expect((await counts.count('old', 100, 1050)).count).toBe(1);
    expect((await counts.count('young', 100_000, 1050)).count).toBe(2);
  });
});
