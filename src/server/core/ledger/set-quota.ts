import { type Book, type HoldRecord, movementKey } from './book.ts';
import { restRef, takeRest } from './close.ts';
import { applyMove } from './move.ts';
import type { MoveOutcome, Movement, SpentAsRead } from './ledger.ts';

/** A quota was set. These further holds of the user are open, and what they give back must not be added to it either. */
export interface SetOutcome {
  readonly state: 'set';
  readonly open: readonly { readonly id: string; readonly quotaUnits: number }[];
}

/**
 * Sets a user's quota, and keeps his open holds from giving anything back to it: both or neither, also if the process is killed.
 * Holds that another node is writing at this moment are only listed, because a row must not be waited for once the user's
 * is locked. `applyKeep` follows for each of them.
 */
export const applySet = (book: Book, movement: Movement): SetOutcome | Exclude<MoveOutcome, 'moved'> => {
  const old = outdated(book, movement);
  if (old !== undefined) return old;
  const outcome = applyMove(book, movement);
  if (outcome !== 'moved') return outcome;
  for (const hold of book.holds.values())
    if (hold.state === 'open' && hold.userId === movement.userId) keepOpen(hold, hold.amount);
  const others = book.openHolds.filter(({ userId }) => userId === movement.userId);
  return { state: 'set', open: others.map(({ id, amount }) => ({ id, quotaUnits: amount })) };
};

const outdated = (book: Book, { userId, toUnits, read }: Movement): 'unchanged' | 'stale' | undefined => {
  const user = book.users.get(userId);
  if (user === undefined || toUnits === undefined || read === undefined) return undefined;
  return sinceRead({ leftUnits: toUnits, ...read }, user);
};

/**
 * Compares a balance that an editor read, perhaps an hour ago, and now sends back, with the current one. Calls only move
 * units from what is left to held and used, so the sum shows whether the balance was changed in between. If the request
 * does not state what was held at that time, it is taken as nothing, or as much as now.
 */
export const sinceRead = (
  read: SpentAsRead & { readonly leftUnits: number },
  now: { readonly quota: number; readonly held: number; readonly used: number },
): 'unchanged' | 'stale' | undefined => {
  const sum = read.leftUnits + read.usedUnits;
  const sumNow = now.quota + now.used + now.held;
  const heldThen = read.heldUnits === undefined ? [0, now.held] : [read.heldUnits];
  if (heldThen.some((held) => sum + held === sumNow)) return 'unchanged';
  return read.usedUnits === now.used ? undefined : 'stale';
};

const keepOpen = (hold: HoldRecord, quotaUnits: number): void => {
  hold.keptUnits = Math.max(hold.keptUnits, Math.min(quotaUnits, hold.amount));
  hold.changed = true;
};

/**
 * Keeps this part of a hold from being given back. If the hold has been closed meanwhile, takes the part that was given
 * back, once.
 */
export const applyKeep = (
  book: Book,
  { id, quotaUnits, nowMs }: { readonly id: string; readonly quotaUnits: number; readonly nowMs: number },
): boolean => {
  const hold = book.holds.get(id);
  const user = hold === undefined ? undefined : book.users.get(hold.userId);
  if (hold === undefined || user === undefined) return false;
  if (hold.state === 'open') keepOpen(hold, quotaUnits);
  else if (!book.movements.has(movementKey({ kind: 'admin', ref: restRef(id) })))
    takeRest(book, user, { id, quotaUnits: quotaUnits - hold.settled, nowMs });
  return true;
};
