import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { asAppError } from '#core/error.ts';
import { callLine, readLine, receiptShape } from '#core/seal/lines.ts';
import { priceProblems } from '#core/seal/check-price.ts';
import type { SealedCall } from '#core/seal/lines.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { readHere } from '../database/sqlite/read-here.ts';
import { readCalls } from '../wallet/sealed-rows.ts';

const MOST_ROWS = 100_000;

const callsIn = (reader: Kysely<Schema>): Promise<SealedCall[]> =>
  readCalls(reader, sql`l.id > 0`, MOST_ROWS);

/** SQLite is read in this thread: most tests have asked nothing of the reading one, which takes 30 ms to start and end. */
const readDatabase = async (database: Database): Promise<SealedCall[]> => {
  if (database.engine === 'sqlite')
    return existsSync(database.file) ? readHere(database).reading(callsIn) : [];
  return callsIn(database.reader).catch((thrown: unknown) => {
    if (asAppError(thrown).code === 'unavailable') return [];
    throw thrown;
  });
};

/**
 * Throws if the receipt of a charged call does not prove what it was charged: `tollgate verify` would refuse its month. Of a
 * database that is gone already nothing is asked.
 */
export const proveRows = async (database: Database): Promise<void> => {
  const problems = (await readDatabase(database)).flatMap((call) => {
    const receipt = readLine(receiptShape, callLine(call, ''));
    if (receipt?.tollgate !== 'call') return [`${call.requestId} has no receipt`];
    return (priceProblems(receipt) ?? []).map((problem) => `${call.model} ${call.requestId}: ${problem}`);
  });
  if (problems.length > 0)
    throw new Error(`charges that their receipts do not prove: ${problems.join('; ')}`);
};
