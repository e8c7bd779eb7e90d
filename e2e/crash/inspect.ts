import { auditDatabase } from '../../src/server/store/ledger/audit.ts';
import { openDatabase, type Database } from '../../src/server/store/database/database.ts';
import { createLedger } from '../../src/server/store/ledger/ledger.ts';
import { wrongBackground } from './background-load.ts';
import { NEW_USER_QUOTA, type Seen } from './load.ts';

export type Where =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** What one round found. */
export interface Inspection {
  /** One sentence for each violated guarantee. */
  readonly wrong: readonly string[];
  /** How many calls were answered completely and charged their exact price. */
  readonly exact: number;
}

export interface Counts {
  readonly holds: number;
  readonly charges: number;
}

/** Inspects the database after a crash and restart, before any new call. */
export const inspect = async (
  where: Where,
  seen: Seen,
  before: Counts,
  answeredUpstream: number,
  caller: { readonly url: string; readonly key: string },
): Promise<Inspection & { readonly after: Counts }> => {
  const database = await openDatabase(where);
  try {
    // On PostgreSQL a start leaves holds that another node may own open until they expire: sweep as if it were tomorrow.
    if (where.engine === 'postgres') {
      await createLedger(database).resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: Date.now() + DAY_MS });
    }
    const background = await wrongBackground(database, seen, caller);
    const wrong = [
      ...background,
      ...(await brokenInvariants(database)),
      ...(await openHolds(database)),
      ...(await missingAcknowledged(database, seen)),
    ];
    const after = await countsOf(database);
    const holds = after.holds - before.holds;
    const charges = after.charges - before.charges;
    if (holds < answeredUpstream)
      wrong.push(`${answeredUpstream} calls reached the upstream, only ${holds} were held`);
    if (charges > answeredUpstream)
      wrong.push(`${charges} calls were charged, only ${answeredUpstream} were sent`);
    const calls = await answeredCalls(database, seen);
    return { ...calls, wrong: [...wrong, ...calls.wrong], after };
  } finally {
    await database.close();
  }
};

const DAY_MS = 86_400_000;

const brokenInvariants = async (database: Database): Promise<string[]> =>
  (await auditDatabase(database, Date.now()))
    .filter((finding) => finding.violations > 0)
    .map((finding) => `audit: ${finding.check}: ${finding.violations}, such as ${finding.example}`);

const openHolds = async (database: Database): Promise<string[]> => {
  const open = await database.reader
    .selectFrom('holds')
    .select('id')
    .where('state', '=', 'open')
    // On PostgreSQL another node may still close the hold of a background response that never got an id.
    .where(({ eb, selectFrom }) =>
      eb('id', 'not in', selectFrom('background_responses').select('hold_id').where('response_id', '=', '')),
    )
    .execute();
  return open.length === 0 ? [] : [`${open.length} holds are still open, such as ${open[0]?.id}`];
};

const missingAcknowledged = async (database: Database, seen: Seen): Promise<string[]> => {
  const wrong: string[] = [];
  for (const username of seen.registered) {
    const user = await database.reader
      .selectFrom('users')
      .select('quota')
      .where('username', '=', username)
      .executeTakeFirst();
    if (user?.quota !== NEW_USER_QUOTA)
      wrong.push(`account ${username} was acknowledged and has ${user?.quota}`);
  }
  for (const id of seen.tokenIds) {
    const token = await database.reader
      .selectFrom('tokens')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (token === undefined) wrong.push(`token ${id} was acknowledged and is gone`);
  }
  return [...wrong, ...(await wrongCodes(database, seen)), ...(await wrongOrders(database, seen))];
};

/** How many credits of this kind the journal has with this reason. */
const creditsOf = async (database: Database, kind: 'redeem' | 'topup', reason: string): Promise<number> => {
  const journal = database.reader.selectFrom('journal').select('id');
  return (await journal.where('kind', '=', kind).where('reason', '=', reason).execute()).length;
};

/** Each code whose redemption was acknowledged has exactly one credit. The audit checks the others. */
const wrongCodes = async (database: Database, { redeemed }: Seen): Promise<string[]> => {
  const wrong = redeemed
    .filter((name, at) => redeemed.indexOf(name) !== at)
    .map((name) => `code ${name} was acknowledged twice`);
  for (const name of new Set(redeemed)) {
    const credits = await creditsOf(database, 'redeem', name);
    if (credits !== 1) wrong.push(`code ${name} was acknowledged and has ${credits} credits`);
  }
  return wrong;
};

/** Each order whose payment was acknowledged to the payment gateway, however often, has exactly one credit. */
const wrongOrders = async (database: Database, { paid }: Seen): Promise<string[]> => {
  const wrong: string[] = [];
  for (const tradeNo of new Set(paid)) {
    const credits = await creditsOf(database, 'topup', tradeNo);
    if (credits !== 1) wrong.push(`order ${tradeNo} was acknowledged and has ${credits} credits`);
  }
  return wrong;
};

const CONSUME = 2;

export const countsOf = async (database: Database): Promise<Counts> => {
  const count = (table: 'holds' | 'logs') =>
    database.reader.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n'));
  const holds = await count('holds').executeTakeFirstOrThrow();
  const charges = await count('logs')
    .where('type', '=', CONSUME)
    .where('quota', '>', 0)
    .executeTakeFirstOrThrow();
  return { holds: Number(holds.n), charges: Number(charges.n) };
};

/** A call whose end reached the caller is charged exactly once, at its exact price: the end is sent after the charge is stored. */
const answeredCalls = async (database: Database, seen: Seen): Promise<Inspection> => {
  const wrong: string[] = [];
  let exact = 0;
  for (const [id, price] of seen.whole) {
    const hold = await database.reader
      .selectFrom('holds')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    const logs = await database.reader
      .selectFrom('logs')
      .select(['quota'])
      .where('request_id', '=', id)
      .where('type', '=', CONSUME)
      .execute();
    if (hold === undefined) wrong.push(`call ${id} was answered and never held`);
    else if (logs.length > 1) wrong.push(`call ${id} is charged ${logs.length} times`);
    else if (hold.settled !== price) wrong.push(`call ${id} costs ${price} and was charged ${hold.settled}`);
    else exact++;
  }
  return { wrong, exact };
};
