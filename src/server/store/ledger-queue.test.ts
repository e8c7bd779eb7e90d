import { expect, it } from 'vitest';
import type { Database } from './database.ts';
import { createLedger } from './ledger.ts';

it('while the database is away everybody is told so at once, not one batch after the other', async () => {
  let batches = 0;
  const runLedger = async (): Promise<never> => {
    batches += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('away');
  };
  const ledger = createLedger({ runLedger } as unknown as Database);
  const voided = (at: number): Promise<string> =>
    ledger.void(`call ${at}`, 1).then(
      () => 'closed',
      (error: { code: string }) => error.code,
    );
  const first = [voided(0), voided(1)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  const told = await Promise.all([...first, ...Array.from({ length: 2000 }, (_, at) => voided(at + 2))]);
  expect(new Set(told)).toEqual(new Set(['unavailable']));
  expect(batches).toBe(1);
  await ledger.close();
});
