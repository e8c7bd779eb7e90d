import { Client } from 'pg';
import type { PostgresDatabase } from './database.ts';

/** A connection that only listens to one channel of notifications. */
export interface Ear {
  /** Opens it if it is closed or has broken. Never rejects: call it again after a while. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** `channel` is a name of ours: it is written into the statement. `hear` gets the text of each notification. */
export const createEar = (
  database: PostgresDatabase,
  channel: string,
  hear: (payload: string) => void,
): Ear => {
  let client: Client | undefined;
  const drop = (broken: Client) => {
    if (client === broken) client = undefined;
    broken.end().catch(() => {});
  };
  return {
    open: async () => {
      if (client !== undefined) return;
      const fresh = new Client({
        connectionString: database.pool.options.connectionString,
        connectionTimeoutMillis: 2000,
        query_timeout: 5000,
        keepAlive: true,
      });
      client = fresh;
      fresh.on('error', () => drop(fresh));
      fresh.on('end', () => drop(fresh));
      fresh.on('notification', ({ payload = '' }) => hear(payload));
      try {
        await fresh.connect();
        await fresh.query(`LISTEN ${channel}`);
      } catch {
        drop(fresh);
      }
    },
    close: async () => {
      await client?.end().catch(() => {});
    },
  };
};
