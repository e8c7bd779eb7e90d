import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTwoAccounts } from '../../http/testing/two-accounts.ts';

/** A caller who has the answer can read its price and spend the rest at once, because it is charged by then. */

const MODEL = 'gpt-charged';
let site: Awaited<ReturnType<typeof startTwoAccounts>>;
beforeAll(async () => void (site = await startTwoAccounts(MODEL, 1_000_000, 1)));
afterEach(() => void vi.restoreAllMocks());
afterAll(() => site.stop());

it.each([
  ['an answer', {}],
  ['a stream', { stream: true }],
  ['a stream of a response in the background', { stream: true, background: true }],
])('%s ends when its call is charged', async (_, body) => {
  const { ledger } = site.server().parts.stores;
  const { settle } = ledger;
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  vi.spyOn(ledger, 'settle').mockImplementation(async (settlement) => {
    begun.resolve();
    await goOn.promise;
    return settle(settlement);
  });
  let isOver = false;
  const asked = site
    .ask('POST', '', site.aliceKey, { model: MODEL, input: 'say hello', ...body })
    .finally(() => (isOver = true));
  await begun.promise;
  // An end that does not wait is here before these.
  for (let call = 0; call < 5; call += 1) await fetch(`${site.server().url}/readyz`);
  expect(isOver).toBe(false);
  goOn.resolve();
  expect((await asked).status).toBe(200);
});
