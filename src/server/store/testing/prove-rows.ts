import { sql } from 'kysely';
import { asAppError } from '#core/error.ts';
import { callLine, readLine, receiptShape } from '#core/seal/lines.ts';
import { priceProblems } from '#core/seal/check-price.ts';
import type { Database } from '../database/database.ts';
import { readCalls } from '../wallet/sealed-rows.ts';

const MOST_ROWS = 100_000;

/**
 * Throws if the receipt of a charged call does not prove what it was charged: `tollgate verify` would refuse its month. Of a
 * database that is stopped already nothing is asked.
 */
export const proveRows = async ({ reader }: Pick<Database, 'reader'>): Promise<void> => {
  const calls = await readCalls(reader, sql`l.id > 0`, MOST_ROWS).catch((thrown: unknown) => {
    if (asAppError(thrown).code === 'unavailable') return [];
    throw thrown;
  });
  const problems = calls.flatMap((call) => {
    const receipt = readLine(receiptShape, callLine(call, ''));
    if (receipt?.tollgate !== 'call') return [`${call.requestId} has no receipt`];
    return (priceProblems(receipt) ?? []).map((problem) => `${call.model} ${call.requestId}: ${problem}`);
  });
  if (problems.length > 0)
    throw new Error(`charges that their receipts do not prove: ${problems.join('; ')}`);
};
