import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { CANNOT_RUN_HERE } from './cannot-run-here.ts';

/** A PostgreSQL server of its own; where none can run, says why and ends the program as skipped. */
export const postgresOrSkip = (): ReturnType<typeof startPostgres> =>
  startPostgres().catch((error: unknown) => {
    console.log(`PostgreSQL cannot run here: ${String(error)}`);
    process.exit(CANNOT_RUN_HERE);
  });
