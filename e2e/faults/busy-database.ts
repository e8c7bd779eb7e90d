import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Rig } from './rig.ts';

/** The time a busy database accepts nothing: long enough for everything that does not wait for it. */
const BUSY_MS = 300;

const openFile = ({ database }: Rig, readOnly: boolean): DatabaseSync => {
  if (database.engine !== 'sqlite') throw new Error('a rig is on SQLite');
  return new DatabaseSync(database.file, { readOnly, timeout: 5000 });
};

/** Another process writes to the database for a while. */
export const keepBusy = (rig: Rig): void => {
  const other = openFile(rig, false);
  other.exec('BEGIN IMMEDIATE');
  setTimeout(() => {
    other.exec('ROLLBACK');
    other.close();
  }, BUSY_MS);
};

/** Reads the charges of calls synchronously, in this thread. */
export const openCharges = (rig: Rig): (() => readonly number[]) => {
  const ledger = openFile(rig, true);
  onTestFinished(() => ledger.close());
  const charges = ledger.prepare(`SELECT settled FROM holds WHERE state = 'settled' ORDER BY closed_at`);
  return () => charges.all().map(({ settled }) => Number(settled));
};

/** The text received at some moment, and the charges at that moment. */
export interface Moment {
  readonly text: string;
  readonly charges: readonly number[];
}

/** To be called with an answer as it arrives: keeps the database busy from its first piece on. */
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
