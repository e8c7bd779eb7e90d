import type { Ledger } from '#core/ledger/ledger.ts';
import { callLog } from './accounts.ts';

/** What a user has in such a race; what one call takes at first, and could come to. */
export const EDGE_QUOTA_UNITS = 20_000;
const FIRST_UNITS = 100;
const MOST_UNITS = 300;
const STEP_UNITS = 50;

/** A call that holds what there is, grows its hold as far as it can, and uses all of it. Returns what it was charged. */
const playCall = async (ledger: Ledger, id: string, userId: number): Promise<number> => {
  const times = { nowMs: 1, expiresAtMs: 600_000 };
  const amounts = { quotaUnits: FIRST_UNITS, leastUnits: 1 };
  const held = await ledger.hold({ id, userId, tokenId: null, ...amounts, ...times });
  if (held !== 'held' && (typeof held === 'string' || held.state !== 'held')) return 0;
  let units = held === 'held' ? FIRST_UNITS : held.quotaUnits;
  while (units < MOST_UNITS) {
    const grown = await ledger.grow({ id, quotaUnits: units + STEP_UNITS, leastUnits: 0 });
    if (grown.state !== 'grown' || grown.quotaUnits === units) break;
    units = grown.quotaUnits;
  }
  const log = callLog({ requestId: id, userId });
  const closed = await ledger.settle({ id, quotaUnits: units, nowMs: 2, log, writeLog: true });
  return closed.state === 'closed' && closed.houseLossUnits === 0 ? closed.chargedUnits : Infinity;
};

/** Many calls of one user on several ledgers, whose money is not enough for all. Returns what they were charged in all. */
export const raceAtEdge = async (
  ledgers: readonly Ledger[],
  userId: number,
  name: string,
  callers: number,
): Promise<number> => {
  const charges = await Promise.all(
    Array.from({ length: callers }, (_, at) =>
      playCall(ledgers[at % ledgers.length] as Ledger, `${name}-${at}`, userId),
    ),
  );
  return charges.reduce((sum, units) => sum + units, 0);
};
