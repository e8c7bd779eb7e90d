import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ChangeKind, createChangeFeed } from './change-feed.ts';
import { engines } from '../testing/engines.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the change feed on ${engine.name}`, () => {
    afterEach(() => vi.useRealTimers());

    it('tells this node at once, once, until it stops listening', async () => {
      const opened = await engine.create();
      const feed = await createChangeFeed(opened.database);
      const heard: ChangeKind[] = [];
      const stop = feed.watch((kind) => heard.push(kind));
      await feed.announce('channels');
      await feed.announce('options');
      expect(heard).toEqual(['channels', 'options']);
      stop();
      await feed.announce('channels');
      expect(heard).toHaveLength(2);
      await feed.close();
      await opened.remove();
    });

    it.skipIf(engine.name === 'sqlite')('tells another node, which need not ask', async () => {
      const opened = await engine.create();
      const other = await opened.openAgain();
      // A lost notification is made up for when it next looks: with a timer of this clock it never does.
      vi.useFakeTimers({ toFake: ['setInterval'] });
      const [here, there] = [await createChangeFeed(opened.database), await createChangeFeed(other)];
      vi.useRealTimers();
      const heard: ChangeKind[] = [];
      there.watch((kind) => heard.push(kind));
      await here.announce('channels');
      await expect.poll(() => heard).toEqual(['channels']);
      await Promise.all([here.close(), there.close()]);
      await other.close();
      await opened.remove();
    });

    it.skipIf(engine.name === 'sqlite')('tells what it could not tell as soon as it can', async () => {
      const opened = await engine.create();
      const other = await opened.openAgain();
      const [here, there] = [await createChangeFeed(opened.database), await createChangeFeed(other)];
      const heard: string[] = [];
      here.watch((kind) => heard.push(`here ${kind}`));
      there.watch((kind) => heard.push(`there ${kind}`));
      const rename = (from: string, to: string) =>
        sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.table(to)}`;
      await rename('changes', 'away').execute(other.writer);
      await expect(here.announce('channels')).rejects.toThrow();
      await rename('away', 'changes').execute(other.writer);
      await expect.poll(() => heard.toSorted()).toEqual(['here channels', 'there channels']);
      await Promise.all([here.close(), there.close()]);
      await other.close();
      await opened.remove();
    });
  });
}
