import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { createEar } from './ear.ts';
import { createPostgresNews } from './postgres-news.ts';
import { engines } from '../../testing/engines.ts';
import { wayBetween } from '../../testing/way-between.ts';

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  describe.skipIf(engine.missing !== undefined)('news by way of PostgreSQL', () => {
    it('reach every other node whole, and again once a broken connection is back', async () => {
      const opened = await engine.create();
      const again = await opened.openAgain();
      if (opened.database.engine !== 'postgres' || again.engine !== 'postgres')
        throw new Error('not PostgreSQL');
      const [here, there] = [await createPostgresNews(opened.database), await createPostgresNews(again)];
      const own: string[] = [];
      const heard: string[] = [];
      here.hear((batch) => own.push(batch));
      there.hear((batch) => heard.push(batch));
      const long = `["t","${'ü'.repeat(3900)}"]`;
      await here.send(['["t","a b  c"]', long, '["t","twice"]', '["t","twice"]']);
      await expect.poll(() => heard).toEqual(['["t","a b  c"]', long, '["t","twice"]', '["t","twice"]']);
      expect(own).toEqual([]);
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN tollgate_news'`.execute(
        opened.database.writer,
      );
      const told = async (): Promise<string | undefined> => {
        await here.send(['["t","back"]']);
        return heard.at(-1);
      };
      await expect.poll(told).toBe('["t","back"]');
      await Promise.all([here.close(), there.close()]);
      await again.close();
      await opened.remove();
    });

    it('are heard again after a connection has gone without a word', async () => {
      const { database, remove } = await engine.create();
      if (database.engine !== 'postgres') throw new Error('not PostgreSQL');
      const way = await wayBetween(database.pool.options.connectionString ?? '');
      const through = { pool: { options: { connectionString: way.url } } };
      const heard: string[] = [];
      const ear = createEar(through, 'tollgate_test', (text) => heard.push(text), 200);
      const tell = async (text: string): Promise<string | undefined> => {
        await ear.open();
        await sql`SELECT pg_notify('tollgate_test', ${text})`.execute(database.writer);
        return heard.at(-1);
      };
      await expect.poll(() => tell('first')).toBe('first');
      way.fallSilent();
      await expect.poll(() => tell('again')).toBe('again');
      await ear.close();
      way.close();
      await remove();
    });
  });
}
