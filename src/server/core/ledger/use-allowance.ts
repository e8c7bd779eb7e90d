import { NANO_PER_USD } from '#contract/limits.ts';
import { type AllowanceDay, type AllowanceUse, costBeyond, freeOf } from '../cost/allowance-use.ts';
import { fieldsOf, parsedFields } from '../json/fields.ts';
import type { CallLog } from '../log/log.ts';
import type { AllowanceAccount, Book, LedgerOp } from './book.ts';

/** Identifies a day of an allowance; writers lock days in the order of these. */
export const allowanceKey = ({ day, channelId, keyId, unit, name }: AllowanceDay): string =>
  [day, channelId, keyId, unit, name].join(' ');

/** The days of allowances that a batch uses, in the order in which they are locked. */
export const allowanceDaysOf = (ops: readonly LedgerOp[]): AllowanceDay[] => {
  let days: Map<string, AllowanceDay> | undefined;
  for (const op of ops) {
    if (op.op !== 'settle') continue;
    const { free } = op.settlement.log;
    if (free !== undefined) (days ??= new Map()).set(allowanceKey(free), free);
  }
  if (days === undefined) return [];
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day);
};

/** A day as it was loaded, for the book. */
export const allowanceAccount = (
  { day, channelId, keyId, unit, name }: AllowanceDay,
  given: number,
): AllowanceAccount => ({ day, channelId, keyId, unit, name, given, changed: false });

/** Gives a call what is left of its free allowance, and its row the cost of the rest. The first that settles gets it. */
export const withAllowance = (book: Book, log: CallLog): CallLog => {
  const { free: use } = log;
  const account = use && book.allowances.get(allowanceKey(use));
  if (use === undefined || account === undefined) return log;
  const free = freeOf(use, account.given);
  if (free === 0) return log;
  account.given += free;
  account.changed = true;
  const costNano = costBeyond(use, log.costNano, free);
  return { ...log, costNano, other: told(log.other, use, free, costNano) };
};

/** Tells admins what was free. A call that was sold for what it costs now is not below cost. */
const told = (other: string, use: AllowanceUse, free: number, costNano: number | undefined): string => {
  const fields = parsedFields(other) ?? {};
  const { below_cost: isBelow, ...info } = fieldsOf(fields['admin_info']);
  const { name, unit, soldNano } = use;
  const isStillBelow = isBelow === true && costNano !== undefined && costNano > (soldNano ?? 0);
  return JSON.stringify({
    ...fields,
    admin_info: {
      ...info,
      ...(isStillBelow && { below_cost: true }),
      free: { name, of: unit, amount: unit === 'dollars' ? free / NANO_PER_USD : free },
    },
  });
};
