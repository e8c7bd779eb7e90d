import type {
  ClaimOutcome,
  CloseOutcome,
  GrowOutcome,
  HoldRefusal,
  MoveOutcome,
  Shortage,
} from '#core/ledger/ledger.ts';

/** How much is short is told by tests of their own. */
type Short<Outcome> = Exclude<Outcome, Shortage> | Shortage['state'];
/** What is held, and what the payer had for it. */
interface ModelHeld {
  readonly held: number;
  readonly payable: number;
}

/** The ledger as a child would write it: to compare the real one with. */
interface Account {
  quota: number;
  used: number;
  enabled: boolean;
}

interface ModelToken {
  readonly owner: number;
  remain: number;
  used: number;
  readonly unlimited: boolean;
  enabled: boolean;
}

interface ModelHold {
  readonly user: number;
  readonly token: number | null;
  amount: number;
  readonly expiresAt: number;
  open: boolean;
  wasCharged: boolean;
  /** Of its amount, what does not come back. */
  kept: number;
  checkpoint: number | undefined;
}

const closeHold = (
  user: Account,
  token: ModelToken | undefined,
  hold: ModelHold,
  wanted: number,
): Omit<Extract<CloseOutcome, { readonly state: 'closed' }>, 'userHeldUnits'> => {
  const ofToken = token === undefined || token.unlimited ? Infinity : token.remain;
  const charged = Math.min(wanted, hold.amount + Math.min(user.quota, ofToken));
  user.quota += hold.amount - charged - Math.max(0, hold.kept - charged);
  user.used += charged;
  hold.open = false;
  if (token !== undefined) {
    token.used += charged;
    if (!token.unlimited) token.remain = Math.max(0, token.remain + hold.amount - charged);
  }
  return {
    state: 'closed',
    chargedUnits: charged,
    houseLossUnits: wanted - charged,
    userQuotaUnits: user.quota,
  };
};

const closeOf =
  (holds: ReadonlyMap<string, ModelHold>, users: readonly Account[], tokens: readonly ModelToken[]) =>
  (hold: ModelHold, wanted: number): CloseOutcome => {
    const token = hold.token === null ? undefined : tokens[hold.token];
    const outcome = closeHold(users[hold.user] as Account, token, hold, wanted);
    const others = [...holds.values()].filter(({ open, user }) => open && user === hold.user);
    return { ...outcome, userHeldUnits: others.reduce((sum, { amount }) => sum + amount, 0) };
  };

/** A hold as large as asked for; where there is less, as large as can be, but not below `least`. */
const growthOf =
  (holds: ReadonlyMap<string, ModelHold>, users: readonly Account[], tokens: readonly ModelToken[]) =>
  (id: string, total: number, least: number): Short<GrowOutcome> => {
    const hold = holds.get(id);
    if (hold === undefined) return { state: 'missing' };
    if (!hold.open) return { state: 'already_closed' };
    const user = users[hold.user] as Account;
    const token = hold.token === null ? undefined : tokens[hold.token];
    const ofToken = token === undefined || token.unlimited ? Infinity : token.remain;
    const needed = Math.min(total, least) - hold.amount;
    if (user.quota < needed) return 'user_short';
    if (ofToken < needed) return 'token_short';
    const more = Math.max(0, Math.min(total - hold.amount, user.quota, ofToken));
    user.quota -= more;
    if (token !== undefined && !token.unlimited) token.remain -= more;
    hold.amount += more;
    return { state: 'grown', quotaUnits: hold.amount };
  };

/** Codes and orders: `owner` null is a code for whoever comes first. */
const claimsOf = (users: readonly Account[]) => {
  const claimed = new Set<string>();
  return (voucher: string, owner: number | null, userAt: number, worth: number): ClaimOutcome => {
    if (owner !== null && owner !== userAt) return { state: 'missing' };
    if (claimed.has(voucher)) return { state: 'taken' };
    claimed.add(voucher);
    const user = users[userAt] as Account;
    user.quota += worth;
    return { state: 'claimed', quotaUnits: worth, userQuotaUnits: user.quota };
  };
};

const setOf =
  (users: readonly Account[], holds: ReadonlyMap<string, ModelHold>) =>
  (userAt: number, units: number): void => {
    (users[userAt] as Account).quota = units;
    for (const hold of holds.values()) if (hold.open && hold.user === userAt) hold.kept = hold.amount;
  };

const resolveOf =
  (holds: ReadonlyMap<string, ModelHold>, close: (hold: ModelHold, wanted: number) => CloseOutcome) =>
  (now: number): number => {
    const due = [...holds.values()].filter((hold) => hold.open && hold.expiresAt <= now);
    for (const hold of due) {
      hold.wasCharged = hold.checkpoint !== undefined;
      close(hold, Math.min(hold.checkpoint ?? 0, hold.amount));
    }
    return due.length;
  };

export const createModel = (balances: readonly number[], tokenLimits: readonly (number | null)[]) => {
  const users: Account[] = balances.map((quota) => ({ quota, used: 0, enabled: true }));
  const tokens: ModelToken[] = tokenLimits.map((limit, at) => ({
    owner: at % balances.length,
    remain: limit ?? 0,
    used: 0,
    unlimited: limit === null,
    enabled: true,
  }));
  const holds = new Map<string, ModelHold>();
  const moves = new Set<string>();
  const userOf = (at: number) => users[at] as Account;
  const close = closeOf(holds, users, tokens);
  const closeById = (id: string, wanted: number | undefined): CloseOutcome => {
    const hold = holds.get(id);
    if (hold === undefined) return { state: 'missing' };
    if (!hold.open) return { state: 'already_closed', wasCharged: hold.wasCharged };
    hold.wasCharged = wanted !== undefined;
    return close(hold, wanted ?? 0);
  };

  return {
    users,
    tokens,
    hold: (
      id: string,
      userAt: number,
      tokenAt: number | null,
      amount: number,
      expiresAt: number,
      least = amount,
      most = 0,
    ): Short<HoldRefusal> | ModelHeld => {
      if (holds.has(id)) return 'duplicate';
      const user = userOf(userAt);
      if (!user.enabled) return 'user_refused';
      const token = tokenAt === null ? undefined : tokens[tokenAt];
      if (token !== undefined && (!token.enabled || token.owner !== userAt)) return 'token_refused';
      if (user.quota < least) return 'user_short';
      if (token !== undefined && !token.unlimited && (token.remain < least || token.remain === 0))
        return 'token_short';
      const payable = Math.min(user.quota, token === undefined || token.unlimited ? Infinity : token.remain);
      const held = most > amount && payable >= most ? most : Math.min(amount, payable);
      user.quota -= held;
      if (token !== undefined && !token.unlimited) token.remain -= held;
      const fresh = { expiresAt, open: true, wasCharged: false, kept: 0, checkpoint: undefined };
      holds.set(id, { user: userAt, token: tokenAt, amount: held, ...fresh });
      return { held, payable };
    },
    grow: growthOf(holds, users, tokens),
    settle: (id: string, wanted: number) => closeById(id, wanted),
    void: (id: string) => closeById(id, undefined),
    checkpoint: (id: string, amount: number) => {
      const hold = holds.get(id);
      if (hold?.open) hold.checkpoint = Math.max(amount, hold.checkpoint ?? 0);
    },
    resolve: resolveOf(holds, close),
    move: (ref: string, userAt: number, delta: number): MoveOutcome => {
      if (moves.has(ref)) return 'duplicate';
      const user = userOf(userAt);
      if (user.quota + delta < 0) return 'would_be_negative';
      user.quota += delta;
      moves.add(ref);
      return 'moved';
    },
    claim: claimsOf(users),
    set: setOf(users, holds),
  };
};

export type LedgerModel = ReturnType<typeof createModel>;
