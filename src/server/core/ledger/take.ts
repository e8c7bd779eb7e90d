import type { Book, TokenAccount, UserAccount } from './book.ts';
import type { Growth, GrowOutcome, Hold, HoldOutcome, Shortage } from './ledger.ts';

const userShort = ({ quota, held }: UserAccount): Shortage => ({
  state: 'user_short',
  availableUnits: quota,
  heldUnits: held,
});

const tokenShort = ({ remain, held }: TokenAccount): Shortage => ({
  state: 'token_short',
  availableUnits: remain,
  heldUnits: held,
});

/** available → held, on user and token, both or neither. */
export const applyHold = (book: Book, hold: Hold): HoldOutcome => {
  if (book.holds.has(hold.id)) return 'duplicate';
  const { quotaUnits, leastUnits = quotaUnits, mostUnits = 0 } = hold;
  const user = book.users.get(hold.userId);
  if (user === undefined || !user.active) return 'user_refused';
  const token = hold.tokenId === null ? undefined : book.tokens.get(hold.tokenId);
  if (hold.tokenId !== null && (token === undefined || !token.active || token.userId !== user.id))
    return 'token_refused';
  if (user.quota < leastUnits) return userShort(user);
  const limited = token !== undefined && !token.unlimited;
  if (limited && (token.remain === 0 || token.remain < leastUnits)) return tokenShort(token);
  const payableUnits = limited ? Math.min(user.quota, token.remain) : user.quota;
  const mostFromUnits = Math.max(mostUnits, hold.mostFromUnits ?? 0);
  const isMostHeld = hold.takesMost === true && mostUnits > quotaUnits && payableUnits >= mostFromUnits;
  const amount = isMostHeld ? mostUnits : Math.min(quotaUnits, payableUnits);
  user.quota -= amount;
  user.held += amount;
  user.changed = true;
  if (token !== undefined) {
    token.accessedAtMs = Math.max(token.accessedAtMs, hold.nowMs);
    token.changed = true;
  }
  const tokenAmount = limited ? amount : 0;
  if (limited) {
    token.remain -= amount;
    token.held += amount;
  }
  book.holds.set(hold.id, {
    id: hold.id,
    userId: user.id,
    tokenId: hold.tokenId,
    amount,
    tokenAmount,
    createdAtMs: hold.nowMs,
    expiresAtMs: hold.expiresAtMs,
    state: 'open',
    settled: 0,
    houseLoss: 0,
    keptUnits: 0,
    sent: false,
    checkpoint: 0,
    closedAtMs: null,
    isNew: true,
    hasGrown: false,
    changed: true,
  });
  const isEnough = amount >= quotaUnits && payableUnits >= mostFromUnits;
  return isEnough ? 'held' : { state: 'held', quotaUnits: amount, payableUnits };
};

/** available → held for an open hold, on user and token, both or neither. */
export const applyGrow = (book: Book, { id, quotaUnits, leastUnits }: Growth): GrowOutcome => {
  const hold = book.holds.get(id);
  const user = hold === undefined ? undefined : book.users.get(hold.userId);
  if (hold === undefined || user === undefined) return { state: 'missing' };
  if (hold.state !== 'open') return { state: 'already_closed' };
  const wanted = quotaUnits - hold.amount;
  if (wanted <= 0) return { state: 'grown', quotaUnits: hold.amount };
  const least = Math.min(wanted, leastUnits - hold.amount);
  const token = hold.tokenId === null ? undefined : book.tokens.get(hold.tokenId);
  const limited = token !== undefined && !token.unlimited;
  if (user.quota < least) return userShort(user);
  if (limited && token.remain < least) return tokenShort(token);
  const more = Math.min(wanted, user.quota, limited ? token.remain : Infinity);
  if (more === 0) return { state: 'grown', quotaUnits: hold.amount };
  user.quota -= more;
  user.held += more;
  user.changed = true;
  hold.amount += more;
  hold.hasGrown = true;
  hold.changed = true;
  if (limited) {
    token.remain -= more;
    token.held += more;
    token.changed = true;
    hold.tokenAmount += more;
  }
  return { state: 'grown', quotaUnits: hold.amount };
};
