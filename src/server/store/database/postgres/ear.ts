import { Client } from 'pg';
import type { PostgresDatabase } from '../database.ts';

/** A connection that only listens to one notification channel. */
export interface Ear {
  /** Opens the connection if it is closed or broken. Never rejects: call it again later. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `channel` must be one of our own names, because it is written into the statement. `hear` is called with the text of
 * each notification.
 */
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
