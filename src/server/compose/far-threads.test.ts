import { expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import type { FarDesk } from '../relay/far/far-wire.ts';
import { createFarThreads } from './far-threads.ts';

test('one user cannot take every place for large calls, and gets its own back when they end', async () => {
  const threads = createFarThreads();
  /** Opens as many as allowed; returns them and the error code of the next. */
  const openAll = (userId: number, ip: string): readonly [FarDesk[], string] => {
    const desks: FarDesk[] = [];
    for (;;) {
      try {
        desks.push(threads.open(userId, ip));
      } catch (thrown) {
        return [desks, asAppError(thrown).code];
      }
    }
  };
  const [first, code] = openAll(1, '192.0.2.1');
  expect([first.length % 32, code]).toEqual([0, 'rate_limited']);
  // From the same address, and from another.
  const [second] = openAll(2, '192.0.2.1');
  expect(second).toHaveLength(first.length / 2);
  const [third] = openAll(3, '2001:db8::1');
  expect(third).toHaveLength(first.length / 4);
  for (const desk of [...first, ...second, ...third]) desk.leave();
  const [again] = openAll(1, '192.0.2.1');
  expect(again).toHaveLength(first.length);
  await threads.close();
});
