import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Rig } from './rig.ts';

/** How long a busy database takes nothing: long enough for everything that does not wait for it. */
const BUSY_MS = 300;

const openFile = ({ database }: Rig, readOnly: boolean): DatabaseSync => {
  if (database.engine !== 'sqlite') throw new Error('a rig is on SQLite');
  return new DatabaseSync(database.file, { readOnly, timeout: 5000 });
};

/** Somebody else writes to the database for a while. */
export const keepBusy = (rig: Rig): void => {
  const other = openFile(rig, false);
  other.exec('BEGIN IMMEDIATE');
  setTimeout(() => {
    other.exec('ROLLBACK');
    other.close();
  }, BUSY_MS);
};

/** Reads at once, in this thread, what calls are charged at this moment. */
export const openCharges = (rig: Rig): (() => readonly number[]) => {
  const ledger = openFile(rig, true);
  onTestFinished(() => ledger.close());
  const charges = ledger.prepare(`SELECT settled FROM holds WHERE state = 'settled' ORDER BY closed_at`);
  return () => charges.all().map(({ settled }) => Number(settled));
};

/** What had come at some moment, and what calls were charged by then. */
export interface Moment {
  readonly text: string;
  readonly charges: readonly number[];
}

/** To be told of an answer as it comes: the database is busy from its first piece on. */
export const watchWhileBusy = (rig: Rig) => {
  const charges = openCharges(rig);
  const before = charges().length;
  const moments: Moment[] = [];
  return {
    moments,
    sees: (text: string): void => {
      if (moments.length === 0) keepBusy(rig);
      moments.push({ text, charges: charges().slice(before) });
    },
  };
};
