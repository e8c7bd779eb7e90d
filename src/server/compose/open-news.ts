import type { NewsCarrier } from '#core/news.ts';
import type { Database } from '../store/database/database.ts';
import type { Parts } from './compose-control.ts';
import { joinNodesNews } from './news-desk.ts';

const carrierOf = async (redis: Parts['redis'], database: Database): Promise<NewsCarrier | undefined> => {
  if (redis !== undefined) return (await import('../limits/redis-news.ts')).createRedisNews(redis);
  // On SQLite there is no other node.
  if (database.engine !== 'postgres') return undefined;
  return (await import('../store/database/postgres/postgres-news.ts')).createPostgresNews(database);
};

/** Connects the news to other nodes: through Redis if configured, else through PostgreSQL. */
export const openNews = async ({
  redis,
  stores,
  news,
}: Pick<Parts, 'redis' | 'stores' | 'news'>): Promise<{ close(): Promise<void> }> => {
  const carrier = await carrierOf(redis, stores.database);
  return carrier === undefined ? { close: async () => undefined } : joinNodesNews(news, carrier);
};
