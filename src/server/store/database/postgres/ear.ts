import { Client } from 'pg';

/** A server that does not answer for this long is lost. */
const SILENCE_MS = 5000;

/** Where to connect to. */
interface Place {
  readonly pool: { readonly options: { readonly connectionString?: string | undefined } };
}

/** A connection that only listens to one notification channel. */
export interface Ear {
  /**
   * Opens the connection if it is closed or broken; otherwise checks that it still works. Never rejects; call it again
   * later.
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `channel` must be one of our own names, because it is written into the statement. `hear` is called with the text of
 * each notification.
 */
export const createEar = (
  { pool }: Place,
  channel: string,
  hear: (payload: string) => void,
  silenceMs = SILENCE_MS,
): Ear => {
  let client: Client | undefined;
  let looking: Promise<unknown> | undefined;
  const drop = (broken: Client) => {
    if (client === broken) client = undefined;
    broken.end().catch(() => {});
  };
  return {
    open: async () => {
      const known = client;
      if (known !== undefined) {
        // A connection that only listens does not notice that the other side is gone, so a statement is sent over it.
        looking ??= known
          .query(`LISTEN ${channel}`)
          .catch(() => drop(known))
          .finally(() => (looking = undefined));
        return;
      }
      const fresh = new Client({
        connectionString: pool.options.connectionString,
        connectionTimeoutMillis: 2000,
        query_timeout: silenceMs,
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
