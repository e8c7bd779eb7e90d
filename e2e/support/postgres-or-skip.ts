import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { CANNOT_RUN_HERE } from './cannot-run-here.ts';

/** Starts a PostgreSQL server for the test. If none can run here, prints the reason and exits as skipped. */
export const postgresOrSkip = (): ReturnType<typeof startPostgres> =>
  startPostgres().catch((error: unknown) => {
    console.log(`PostgreSQL cannot run here: ${String(error)}`);
    process.exit(CANNOT_RUN_HERE);
  });
