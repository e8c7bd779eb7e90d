import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { withValues } from '../log/stored-phrase.ts';
import { type Book, movementKey } from './book.ts';
import type { JournalKind, MoveOutcome, Movement } from './ledger.ts';

/** Applies a movement. A user's total stays within the numbers JavaScript holds exactly. */
export const applyMove = (
  book: Book,
  movement: Omit<Movement, 'kind'> & { readonly kind: JournalKind },
): MoveOutcome => {
  const key = movementKey(movement);
  if (book.movements.has(key)) return 'duplicate';
  const user = book.users.get(movement.userId);
  if (user === undefined) return 'user_missing';
  const { toUnits, read: _, log, earnedUnits = 0, ...entry } = movement;
  const deltaUnits = toUnits === undefined ? movement.deltaUnits : toUnits - user.quota;
  if (user.quota + deltaUnits < 0 || user.earned + earnedUnits < 0) return 'would_be_negative';
  if (deltaUnits > MAX_QUOTA_UNITS - user.quota - user.held - user.used) return 'would_overflow';
  if (earnedUnits > MAX_QUOTA_UNITS - user.earned) return 'would_overflow';
  const before = user.quota;
  user.quota += deltaUnits;
  user.earned += earnedUnits;
  user.changed = true;
  book.movements.add(key);
  book.moved.push({ ...entry, deltaUnits, earnedUnits, quotaAfterUnits: user.quota });
  if (log !== undefined) {
    const content = toUnits === undefined ? log.content : withValues(log.content, { before, after: toUnits });
    book.logs.push({ log: { ...log, content }, holdId: '', quotaUnits: log.quotaUnits, written: true });
  }
  return 'moved';
};
