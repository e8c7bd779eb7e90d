import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AppError } from '#core/error.ts';
import { openDatabase } from './database.ts';

it('a file that cannot be used is named, so that its operator knows where to look', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const file = join(folder, 'tollgate.db');
  writeFileSync(file, 'this is no database, and long enough to be taken for one'.repeat(100));
  const thrown: unknown = await openDatabase({ engine: 'sqlite', file }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(AppError);
  expect((thrown as AppError).cause).toMatchObject({ message: `${file}: file is not a database` });
  rmSync(folder, { recursive: true });
});
