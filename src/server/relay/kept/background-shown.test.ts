import { expect, it } from 'vitest';
import type { BackgroundResponseStore } from '#core/kept/background-response.ts';
import { standIn } from '#core/testing/stand-in.ts';
import type { Bill } from './background-bill.ts';
import { type BackgroundDeps, BackgroundResponses } from './background-responses.ts';
import type { Shown } from './kept-reply.ts';
import { backgroundResponse, shownWith } from './testing/background-response.ts';

/** What was seen of a response in the background before its end, which is all it is charged by where no end comes. */

/** A response of which this much is kept; the database is ready when `ready` is. */
const responseWith = (kept: Shown, ready: Promise<void> = Promise.resolve()) => {
  const response = backgroundResponse(kept);
  const stored: Shown[] = [];
  const deps = standIn<BackgroundDeps>({
    clock: { now: () => 1000, monotonic: () => 1 },
    backgroundResponses: standIn<BackgroundResponseStore>({
      find: async () => response,
      change: async (_: string, { bill }: { readonly bill: string }) => {
        await ready;
        stored.push((JSON.parse(bill) as Bill).shown);
      },
    }),
  });
  const observe = (seen: Shown): Promise<boolean> =>
    new BackgroundResponses(deps).observe(response, { status: 'in_progress', shown: seen });
  return { stored, observe };
};

it.each([
  [
    'more text',
    shownWith({ produced: true, outputBytes: 10 }),
    shownWith({ produced: true, outputBytes: 30 }),
    30,
  ],
  ['that it has begun to work', shownWith({}), shownWith({ produced: true }), 0],
])('%s is kept', async (_, kept, seen, outputBytes) => {
  const { stored, observe } = responseWith(kept);
  expect(await observe(seen)).toBe(false);
  expect(stored).toMatchObject([{ produced: true, outputBytes }]);
});

it('an observation with nothing new is not stored', async () => {
  const { stored, observe } = responseWith(shownWith({ produced: true, outputBytes: 30 }));
  expect(await observe(shownWith({ produced: true, outputBytes: 30 }))).toBe(false);
  expect(await observe(shownWith({ outputBytes: 20 }))).toBe(false);
  expect(stored).toEqual([]);
});

it('the tool calls reported last are stored', async () => {
  const { stored, observe } = responseWith(shownWith({ outputBytes: 10, toolCalls: { web_search: 1 } }));
  await observe(shownWith({ outputBytes: 30, toolCalls: { web_search: 2 } }));
  expect(stored).toMatchObject([{ toolCalls: { web_search: 2 } }]);
});

it('an observation is stored before its reader is told of it', async () => {
  const ready = Promise.withResolvers<void>();
  const { stored, observe } = responseWith(shownWith({}), ready.promise);
  const happened: string[] = [];
  const over = observe(shownWith({ produced: true, outputBytes: 30 })).then(() => happened.push('told'));
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect([stored, happened]).toEqual([[], []]);
  ready.resolve();
  await over;
  expect(stored).toHaveLength(1);
});
