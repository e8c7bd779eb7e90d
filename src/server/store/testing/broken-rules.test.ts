import { expect, it } from 'vitest';
import { brokenRules } from './broken-rules.ts';
import { callLog, givenUser } from './accounts.ts';
import { onEachEngine } from './on-each-engine.ts';
import { proveRows } from './prove-rows.ts';

/** What the tests of everything else rely on: books that are wrong, and charges without proof, are seen. */
onEachEngine('what tests ask of the books', (on) => {
  it('sees a hold that no account knows of, and a charge that its row does not prove', async () => {
    const userId = await givenUser(on.database, on.ledger, 1000);
    expect(await brokenRules(on.database)).toEqual([]);
    await proveRows(on.database);
    const hold = { id: 'one', userId, tokenId: null, quotaUnits: 50, nowMs: 2000, expiresAtMs: 602_000 };
    await on.ledger.hold(hold);
    const other = JSON.stringify({ price_steps: [], price_sum: '39', price_units: 39 });
    const log = callLog({ requestId: 'one', userId, other });
    await on.ledger.settle({ id: 'one', quotaUnits: 40, nowMs: 3000, log, writeLog: true });
    await expect(proveRows(on.database)).rejects.toThrow(/one/);
    await on.database.writer.updateTable('users').set({ held: 7 }).where('id', '=', userId).execute();
    expect((await brokenRules(on.database)).length).toBeGreaterThan(0);
  });
});
