import type { ClaimOutcome, Ledger } from '#core/ledger/ledger.ts';
import type { Database } from '../database/database.ts';
import { claimOf, givenCode } from './vouchers.ts';

/** What one code of the race is worth. */
export const RACE_QUOTA_UNITS = 7;

/** How many of some claims ended in which way. */
export const statesOf = (outcomes: readonly ClaimOutcome[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

/** A new code, and everybody wants it at once, spread over the nodes. @returns how many got which answer */
export const raceForCode = async (
  database: Database,
  nodes: readonly [Pick<Ledger, 'claim'>, ...Pick<Ledger, 'claim'>[]],
  people: readonly number[],
): Promise<Record<string, number>> => {
  const id = await givenCode(database, { quotaUnits: RACE_QUOTA_UNITS });
  const outcomes = await Promise.all(
    people.map((userId, at) => (nodes[at % nodes.length] ?? nodes[0]).claim(claimOf('redeem', id, userId))),
  );
  return statesOf(outcomes);
};
