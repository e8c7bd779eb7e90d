import { randomBytes } from 'node:crypto';
import type { NewsCarrier } from '#core/news.ts';
import type { RedisConnection } from './redis-connection.ts';

const CHANNEL = 'tollgate:news';
const SENDER_LENGTH = 12;
const BATCH_BYTES_MAX = 64_000;

/** News between nodes through Redis. Each text begins with the sender, because senders receive their own messages. */
export const createRedisNews = ({ publish, listen }: RedisConnection): NewsCarrier => {
  const sender = randomBytes(SENDER_LENGTH / 2).toString('hex');
  let listener: ((batch: string) => void) | undefined;
  const stop = listen(CHANNEL, (text) => {
    if (!text.startsWith(sender)) listener?.(text.slice(SENDER_LENGTH));
  });
  return {
    batchBytesMax: BATCH_BYTES_MAX,
    async send(batches) {
      for (const batch of batches) await publish(CHANNEL, sender + batch);
    },
    hear: (heard) => void (listener = heard),
    close: async () => stop(),
  };
};
