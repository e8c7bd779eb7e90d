import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from '../database/database.ts';
import { createLedger } from '../ledger/ledger.ts';
import { type Engine, engines, type TestDatabase } from './engines.ts';

/** A database with its ledger, which all tests of one engine share. Its fields exist only while a test runs. */
export interface OnEngine {
  readonly engine: Engine;
  readonly database: Database;
  readonly ledger: ReturnType<typeof createLedger>;
  /** Another node on the same data. */
  openAgain(): Promise<Database>;
}

/** Runs tests on each engine that is available, with one fresh database for all of them. */
export const onEachEngine = (name: string, tests: (on: OnEngine) => void): void => {
  for (const engine of engines)
    describe.skipIf(engine.missing !== undefined)(`${name} on ${engine.name}`, () => {
      let opened: TestDatabase;
      let ledger: ReturnType<typeof createLedger>;
      beforeAll(async () => {
        opened = await engine.create();
        ledger = createLedger(opened.database);
      });
      afterAll(async () => {
        await ledger.close();
        await opened.remove();
      });
      tests({
        engine,
        get database() {
          return opened.database;
        },
        get ledger() {
          return ledger;
        },
        openAgain: () => opened.openAgain(),
      });
    });
};
