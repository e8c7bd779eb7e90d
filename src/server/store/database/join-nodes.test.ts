import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { joinNodes } from './join-nodes.ts';

it('a second server on one SQLite file is refused while the first one runs, and only then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-join-'));
  const database = await openDatabase({ engine: 'sqlite', file: join(folder, 'tollgate.db') });
  const first = await joinNodes(database, { now: () => 1 });
  expect(first.isAlone).toBe(true);
  await first.admitOthers();
  await expect(joinNodes(database, { now: () => 1 })).rejects.toThrow(
    /^another server uses .*tollgate\.db: stop it first/,
  );
  await first.leave();
  const next = await joinNodes(database, { now: () => 1 });
  expect(next.isAlone).toBe(true);
  await next.leave();
  await database.close();
  rmSync(folder, { recursive: true });
});
