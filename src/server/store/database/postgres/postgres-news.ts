import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { NewsCarrier } from '#core/news.ts';
import type { PostgresDatabase } from '../database.ts';
import { createEar } from './ear.ts';

const CHANNEL = 'tollgate_news';
/** A broken connection is reopened within this time. */
const OPEN_EVERY_MS = 2000;
const SENDER_LENGTH = 12;
/** PostgreSQL accepts texts of less than 8,000 bytes; sender and number are included. */
const BATCH_BYTES_MAX = 7900;

/**
 * Sends news between nodes as notifications of their database. Each text begins with the sender, because senders
 * receive their own notifications, and a number, because equal texts in one transaction are delivered once.
 */
export const createPostgresNews = async (database: PostgresDatabase): Promise<NewsCarrier> => {
  const sender = randomBytes(SENDER_LENGTH / 2).toString('hex');
  let listener: ((batch: string) => void) | undefined;
  let sent = 0;
  const ear = createEar(database, CHANNEL, (payload) => {
    const [from, , ...batch] = payload.split(' ');
    if (from !== sender) listener?.(batch.join(' '));
  });
  await ear.open();
  const timer = setInterval(() => void ear.open(), OPEN_EVERY_MS).unref();
  return {
    batchBytesMax: BATCH_BYTES_MAX,
    async send(batches) {
      const payloads = batches.map((batch) => `${sender} ${String(sent++ % 1e9)} ${batch}`);
      await sql`SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`.execute(
        database.writer,
      );
    },
    hear: (heard) => void (listener = heard),
    async close() {
      clearInterval(timer);
      await ear.close();
    },
  };
};
