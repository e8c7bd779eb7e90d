import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { PostgresDatabase } from '../database.ts';
import { NODE_LOCK, RETURN_AFTER_MS, somebodyReturns } from './node-lock.ts';

/** Whoever starts beside others asks again after this long whether the first of them has let it in. */
const ASK_AGAIN_MS = 100;
/** How often the connection is asked for a sign. */
const LOOK_EVERY_MS = 2000;
/** A server that gives none for this long is lost. */
const SILENCE_MS = 5000;

/** The lock of a running node; it has it until it leaves. */
export interface NodeLock {
  /** Whether no other node ran when this one came. */
  readonly isAlone: boolean;
  /** Lets others start, if it was alone. */
  admitOthers(): Promise<void>;
  leave(): Promise<void>;
}

/** Where to connect to, and a pool to look with. */
type Place = Pick<PostgresDatabase, 'writer'> & {
  readonly pool: { readonly options: { readonly connectionString?: string | undefined } };
};

const connect = async ({ pool }: Place, silenceMs: number): Promise<Client> => {
  const client = new Client({
    connectionString: pool.options.connectionString,
    connectionTimeoutMillis: silenceMs,
    query_timeout: silenceMs,
    keepAlive: true,
  });
  // Without a listener an error event would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
};

/** Not awaited: a connection that is gone without a word may never end. */
const drop = (client: Client): void => void client.end().catch(() => {});

const has = async (client: Client, lock: string): Promise<boolean> => {
  const { rows } = await client.query<{ has: boolean }>(`SELECT ${lock}($1) AS has`, [NODE_LOCK]);
  return rows[0]?.has === true;
};

/** Whether a node in the list, if it lives, has calls that the next one would close. */
const wouldClose = async ({ writer }: Place): Promise<boolean> => {
  const listed = await writer.selectFrom('nodes').select('id').limit(1).execute();
  if (listed.length === 0) return false;
  const held = await writer.selectFrom('holds').select('id').where('state', '=', 'open').limit(1).execute();
  return held.length > 0;
};

/**
 * Takes the lock on a connection, alone if nobody else has it and nobody comes back for it.
 * @returns whether it is alone
 */
const take = async (client: Client, database: Place): Promise<boolean> => {
  if (await has(client, 'pg_try_advisory_lock')) {
    if (!(await wouldClose(database)) || !(await somebodyReturns(database.writer))) return true;
    await has(client, 'pg_advisory_unlock');
  }
  // Asks instead of waiting: only nodes that come back wait. The first of those that start closes the old holds, or a newer
  // version migrates the tables.
  while (!(await has(client, 'pg_try_advisory_lock_shared'))) await pause(ASK_AGAIN_MS);
  return false;
};

/** Holds the lock of a running node from now on, whatever becomes of its connection. */
export const enterAsNode = async (database: Place, silenceMs = SILENCE_MS): Promise<NodeLock> => {
  let client = await connect(database, silenceMs);
  let hasLeft = false;
  const isAlone = await take(client, database).catch((thrown: unknown) => {
    drop(client);
    throw thrown;
  });
  const waitForLock = (on: Client) => on.query('SELECT pg_advisory_lock_shared($1)', [NODE_LOCK]);

  const comeBack = async (): Promise<void> => {
    while (!hasLeft) {
      await pause(RETURN_AFTER_MS, undefined, { ref: false });
      const next = await connect(database, silenceMs).catch(() => undefined);
      const isBack =
        next !== undefined &&
        (await waitForLock(next).then(
          () => !hasLeft,
          () => false,
        ));
      if (isBack) return stay(next);
      if (next !== undefined) drop(next);
    }
  };
  const stay = (on: Client): void => {
    client = on;
    client.once('end', () => void (hasLeft ? undefined : comeBack()));
  };
  stay(client);
  // Whoever only holds a lock hears nothing of a connection that is gone without a word.
  let looking: Promise<unknown> | undefined;
  const look = setInterval(
    () => {
      const looked = client;
      looking ??= looked
        .query('SELECT 1')
        .catch(() => drop(looked))
        .finally(() => (looking = undefined));
    },
    Math.min(LOOK_EVERY_MS, silenceMs),
  ).unref();

  return {
    isAlone,
    async admitOthers() {
      if (!isAlone) return;
      await waitForLock(client);
      await has(client, 'pg_advisory_unlock');
    },
    async leave() {
      hasLeft = true;
      clearInterval(look);
      const ended = client.end().catch(() => {});
      await Promise.race([ended, pause(silenceMs, undefined, { ref: false })]);
    },
  };
};
