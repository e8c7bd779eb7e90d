import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { createEar } from './ear.ts';
import { createPostgresNews } from './postgres-news.ts';
import { engines } from '../../testing/engines.ts';

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
      const url = new URL(database.pool.options.connectionString ?? '');
      const { hostname, port } = url;
      const ways: Socket[] = [];
      const between = createServer((near) => {
        const far = connect(Number(port), hostname);
        near.pipe(far).pipe(near);
        for (const way of [near, far]) ways.push(way.on('error', () => way.destroy()));
      }).listen(0, '127.0.0.1');
      await once(between, 'listening');
      url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
      const through = { pool: { options: { connectionString: url.href } } };
      const heard: string[] = [];
      const ear = createEar(through, 'tollgate_test', (text) => heard.push(text), 200);
      const tell = async (text: string): Promise<string | undefined> => {
        await ear.open();
        await sql`SELECT pg_notify('tollgate_test', ${text})`.execute(database.writer);
        return heard.at(-1);
      };
      await expect.poll(() => tell('first')).toBe('first');
      for (const way of ways) way.unpipe().pause();
      await expect.poll(() => tell('again')).toBe('again');
      await ear.close();
      between.close();
      for (const way of ways) way.destroy();
      await remove();
    });
  });
}
