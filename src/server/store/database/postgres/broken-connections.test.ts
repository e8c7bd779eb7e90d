import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#core/error.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { patiently, type PostgresDatabase } from '../database.ts';
import type { Schema } from '../schema.ts';

const postgresOf = ({ database }: TestDatabase): PostgresDatabase => {
  if (database.engine !== 'postgres') throw new Error('not PostgreSQL');
  return database;
};

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  describe.skipIf(engine.missing !== undefined)(
    'a connection that PostgreSQL ends while it is in use',
    () => {
      let opened: TestDatabase;
      let other: TestDatabase['database'];
      let crashes: unknown[];
      const note = (error: unknown): void => void crashes.push(error);

      beforeAll(async () => {
        opened = await engine.create();
        other = await opened.openAgain();
      });
      afterAll(async () => {
        await other.close();
        await opened.remove();
      });
      beforeEach(() => {
        crashes = [];
        process.on('uncaughtExceptionMonitor', note);
      });
      afterEach(() => void process.off('uncaughtExceptionMonitor', note));

      it('fails the work it was in, and ends neither the process nor later work', async () => {
        const { writer } = opened.database;
        const work = writer.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
          await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(other.writer);
          await expect
            .poll(() =>
              sql`SELECT 1`.execute(transaction).then(
                () => undefined,
                (error: unknown) => (error instanceof AppError ? error.code : error),
              ),
            )
            .toBe('unavailable');
          // Its end comes with an event of its own, after the failure of what it was asked last.
          await sql`SELECT 1`.execute(other.writer);
          throw new AppError('conflict', 'this work is over');
        });
        await expect(work).rejects.toThrow();
        expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(writer)).rows).toEqual([{ one: 1 }]);
        expect(crashes).toEqual([]);
      });

      it('is ended by PostgreSQL when its node is gone in the middle of a transaction, so that others can go on', async () => {
        const absence = async (database: Kysely<Schema>) =>
          (
            await sql<{
              limit: string;
            }>`SELECT current_setting('idle_in_transaction_session_timeout') AS limit`.execute(database)
          ).rows[0]?.limit;
        const { writer, pool } = postgresOf(opened);
        // Each of several at once, and so each new one.
        const several = await Promise.all(
          Array.from({ length: 3 }, () => writer.transaction().execute(absence)),
        );
        expect(several).toEqual(['5s', '5s', '5s']);
        expect(await patiently(pool.options.connectionString ?? '', absence)).toBe('0');
      });
    },
  );
}
