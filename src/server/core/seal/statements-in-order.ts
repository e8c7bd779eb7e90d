import type { Statement } from '#contract/api/wallet/statements.ts';
import { monthAfter } from '../wallet/statement.ts';

/** What comparing statements found. */
interface OrderFindings {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** What is wrong between two consecutive statements: each must begin where the one before ended. */
export const gapsBetween = (before: Statement, next: Statement): string[] => {
  const problems: string[] = [];
  const compare = (what: string, ended: number | null, begins: number | null): void => {
    if (ended !== begins)
      problems.push(
        `${what} is ${ended} units at the end of ${before.month}, and ${begins} where ${next.month} begins`,
      );
  };
  compare('the balance', before.closing_units, next.opening_units);
  compare('all that was ever charged', before.charged_after_units, next.charged_before_units);
  return problems;
};

const ownerOf = ({ user_id, token_id, tag = '' }: Statement): string => `${user_id} ${token_id} ${tag}`;

/**
 * Compares statements of one account, given in any order. Those of consecutive months must continue each other; about
 * others nothing can be said.
 */
export const statementsInOrder = (statements: readonly Statement[]): OrderFindings => {
  const problems: string[] = [];
  const notes: string[] = [];
  const inOrder = statements.toSorted((one, other) => (one.month < other.month ? -1 : 1));
  for (const [at, next] of inOrder.entries()) {
    const before = inOrder[at - 1];
    if (before === undefined) continue;
    if (ownerOf(before) !== ownerOf(next)) problems.push('the statements are of several accounts');
    else if (before.month === next.month) {
      if (JSON.stringify(before) !== JSON.stringify(next))
        problems.push(`two statements of ${next.month} differ`);
    } else if (monthAfter(before.month) === next.month) problems.push(...gapsBetween(before, next));
    else
      notes.push(
        `between ${before.month} and ${next.month} statements are missing: what lies between is not checked`,
      );
  }
  return { problems: [...new Set(problems)], notes };
};

/** What came after a month's statement was issued, in units, according to its own file; undefined if unknown. */
export interface Late {
  readonly units: number | undefined;
  /** Movements that left the account; 0 or less. */
  readonly outUnits: number | undefined;
}

/** A statement, and what its own receipts show. */
export interface CheckedMonth {
  readonly statement: Statement;
  readonly late: Late;
}

/**
 * Late charges of consecutive months that no receipt of the month before proves. They may belong to still earlier
 * months, or be younger than its file; or nobody ever made those calls.
 */
export const unprovenLate = (months: readonly CheckedMonth[]): string[] => {
  const notes: string[] = [];
  const inOrder = months.toSorted((one, other) => (one.statement.month < other.statement.month ? -1 : 1));
  let [charged, taken] = [0, 0];
  for (const [at, { statement, late }] of inOrder.entries()) {
    const before = inOrder[at - 1]?.statement;
    const { month, late_units, late_moved_units } = statement;
    if (before === undefined || monthAfter(before.month) !== month) [charged, taken] = [0, 0];
    else {
      if (late_units > charged)
        notes.push(`${late_units - charged} units of late charges of ${month} are in no month before it`);
      if (late_moved_units < taken)
        notes.push(`${taken - late_moved_units} units that left late in ${month} are in no month before it`);
      charged -= Math.min(charged, late_units);
      taken -= Math.max(taken, Math.min(0, late_moved_units));
    }
    charged += late.units ?? Infinity;
    taken += late.outUnits ?? -Infinity;
  }
  return notes;
};
