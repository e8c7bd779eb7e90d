import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { stepsForSettings } from '../migrations/0001-accounts.ts';
import { money } from '../migrations/0002-money.ts';
import { postgresWords, sqliteWords } from '../migrations/migration.ts';
import { givenChannel, givenToken, newUser } from '../testing/accounts.ts';
import { migrate } from './migrate.ts';
import { createChannelStore } from '../channels/channel-store.ts';
import { engines } from '../testing/engines.ts';
import { createUserStore } from '../people/user-store.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`tables on ${engine.name}`, () => {
    it('that a newer version has migrated are not opened, and the operator is told so', async () => {
      const opened = await engine.create();
      await sql`INSERT INTO schema_steps (name) VALUES ('9999-of-tomorrow')`.execute(opened.database.writer);
      await expect(opened.openAgain()).rejects.toThrow(/newer version \(it has the step 9999-of-tomorrow\)/);
      await sql`DELETE FROM schema_steps WHERE name = '9999-of-tomorrow'`.execute(opened.database.writer);
      await (await opened.openAgain()).close();
      await opened.remove();
    });

    it('of an older version get what is missing, and keep what they have', async () => {
      const opened = await engine.create();
      const { writer } = opened.database;
      await sql`INSERT INTO names (name) VALUES ('kept')`.execute(writer);
      await sql`DROP INDEX usage_hours_user`.execute(writer);
      await sql`DROP INDEX usage_hours_token`.execute(writer);
      await sql`DELETE FROM schema_steps WHERE name = '0009-usage-by-caller'`.execute(writer);
      const again = await opened.openAgain();
      const { rows } = await sql`SELECT name FROM names`.execute(again.reader);
      expect(rows).toEqual([{ name: 'kept' }]);
      await sql`DROP INDEX usage_hours_user`.execute(again.writer);
      await again.close();
      await opened.remove();
    });

    it('of an older version are changed after whoever waits is told so', async () => {
      const { database, remove } = await engine.create();
      const { writer } = database;
      await sql`DELETE FROM schema_steps WHERE name = '0039-logs-vacuumed-early'`.execute(writer);
      const told: number[] = [];
      for (let start = 0; start < 2; start += 1)
        await migrate(writer, engine.name, undefined, (steps) => told.push(steps));
      expect(told).toEqual([1]);
      await remove();
    });

    it.runIf(engine.name === 'postgres')(
      'have logs that are vacuumed before a fifth of them is new',
      async () => {
        const { database, remove } = await engine.create();
        const { rows } = await sql<{ options: string[] }>`
        SELECT reloptions AS options FROM pg_class WHERE oid = 'logs'::regclass`.execute(database.reader);
        expect(rows[0]?.options).toContain('autovacuum_vacuum_insert_scale_factor=0.01');
        await remove();
      },
    );

    it('with sums by the name of a token get sums by the token, as far as anybody knows which it was', async () => {
      const opened = await engine.create();
      const { writer } = opened.database;
      const owner = Number(await createUserStore(opened.database).create(newUser()));
      const tokens = [];
      for (const name of ['now', 'twin', 'twin', 'alone'])
        tokens.push(await givenToken(opened.database, owner, undefined, name));
      const [renamed, one, other, alone] = tokens;
      for (const name of ['old', 'twin', 'alone'])
        await sql`INSERT INTO names (name) VALUES (${name})`.execute(writer);
      const old = money.statements(engine.name === 'sqlite' ? sqliteWords : postgresWords);
      await sql`DROP TABLE usage_hours`.execute(writer);
      await sql`DROP INDEX logs_scan`.execute(writer);
      for (const statement of old.filter((text) => /(?:TABLE usage_hours|INDEX logs_scan) /.test(text)))
        await sql.raw(statement).execute(writer);
      const called = async (token: number | undefined, name: number, quota: number) =>
        sql`INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id,
            quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, other)
          VALUES (${7 * 3_600_000 + quota}, 2, ${owner}, 0, ${token}, ${name}, 0, 0, 0, ${quota}, 3, 1, 0, 0, '', '', '', '')`.execute(
          writer,
        );
      // Two calls of each name have no row any more: 100 units and 20 tokens together.
      const summed = async (name: number, rows: number, quota: number) =>
        sql`INSERT INTO usage_hours VALUES (7, 2, ${owner}, ${name}, 0, 0, 0, ${rows + 2}, ${quota + 100},
          ${rows * 3 + 15}, ${rows + 5}, ${rows}, ${quota})`.execute(writer);
      await called(renamed, 1, 10);
      await called(one, 2, 20);
      await called(other, 2, 30);
      await summed(1, 1, 10);
      await summed(2, 2, 50);
      await summed(3, 0, 0);
      await sql`DELETE FROM schema_steps WHERE name >= '0017' AND name < '0018'`.execute(writer);
      const again = await opened.openAgain();
      const { rows } =
        await sql`SELECT token_id, token_name_id AS name, calls, quota, prompt_tokens AS prompt, log_rows
        FROM usage_hours ORDER BY token_name_id, token_id`.execute(again.reader);
      expect(rows).toEqual([
        { token_id: renamed, name: 1, calls: 3, quota: 110, prompt: 18, log_rows: 1 },
        { token_id: 0, name: 2, calls: 2, quota: 100, prompt: 15, log_rows: 0 },
        { token_id: one, name: 2, calls: 1, quota: 20, prompt: 3, log_rows: 1 },
        { token_id: other, name: 2, calls: 1, quota: 30, prompt: 3, log_rows: 1 },
        { token_id: alone, name: 3, calls: 2, quota: 100, prompt: 15, log_rows: 0 },
      ]);
      await again.close();
      await opened.remove();
    });

    it('get a column for a new setting of tokens, and the tokens that are there its initial value', async () => {
      const opened = await engine.create();
      const { writer } = opened.database;
      const owner = await createUserStore(opened.database).create(newUser());
      await givenToken(opened.database, Number(owner));
      const firsts = { group_name: 'older', remain_quota: 5 };
      const steps = stepsForSettings({ ...firsts, some_text: "it's new", some_number: 7, some_time: null });
      expect(steps.map(({ name }) => name)).toEqual([
        'token-setting-some_text',
        'token-setting-some_number',
        'token-setting-some_time',
      ]);
      const words = engine.name === 'sqlite' ? sqliteWords : postgresWords;
      for (const statement of steps.flatMap((step) => step.statements(words)))
        await sql.raw(statement).execute(writer);
      const { rows } = await sql`SELECT group_name, some_text, some_number, some_time FROM tokens`.execute(
        writer,
      );
      expect(rows).toEqual([{ group_name: '', some_text: "it's new", some_number: 7, some_time: null }]);
      await opened.remove();
    });

    it('with one name in several cases open as well: the first keeps it, and no new account gets it', async () => {
      const opened = await engine.create();
      const { writer } = opened.database;
      const users = createUserStore(opened.database);
      const ids = [];
      for (const username of ['ada', 'bob', 'eve']) ids.push(await users.create(newUser({ username })));
      await sql`DROP INDEX users_name_key`.execute(writer);
      await sql`ALTER TABLE users DROP COLUMN name_key`.execute(writer);
      await sql`UPDATE users SET username = 'ADA' WHERE username = 'bob'`.execute(writer);
      await sql`DELETE FROM schema_steps WHERE name = '0013-one-of-each-name'`.execute(writer);
      const again = await opened.openAgain();
      const { rows } = await sql`SELECT username, name_key FROM users ORDER BY id`.execute(again.reader);
      expect(rows).toEqual([
        { username: 'ada', name_key: 'ada' },
        { username: 'ADA', name_key: null },
        { username: 'eve', name_key: 'eve' },
      ]);
      const later = createUserStore(again);
      expect(await later.create(newUser({ username: 'Ada' }))).toBe('taken');
      expect(await later.byLogin('ADA')).toMatchObject({ id: ids[1] });
      await again.close();
      await opened.remove();
    });

    it('of an older version find the channels that are there by a model, in any case', async () => {
      const opened = await engine.create();
      const { writer } = opened.database;
      const id = await givenChannel(opened.database, 'GPT-5,Größe-X');
      await sql`DROP INDEX channels_key_mac`.execute(writer);
      await sql`ALTER TABLE channels DROP COLUMN models_lower`.execute(writer);
      await sql`DELETE FROM schema_steps WHERE name = '0045-searched-channels'`.execute(writer);
      const again = await opened.openAgain();
      const channels = createChannelStore(again);
      const found = async (model: string) =>
        (await channels.page({ model, sortById: true }, { page: 1, pageSize: 5 })).items.map((row) => row.id);
      for (const model of ['gpt-5', 'gPT', 'größe', 'GRößE-x', 't-5,g'])
        expect(await found(model)).toEqual([id]);
      expect(await found('gpt-6')).toEqual([]);
      await channels.update(id, { models: 'Gpt-6' });
      expect([await found('gpt-6'), await found('gpt-5')]).toEqual([[id], []]);
      await again.close();
      await opened.remove();
    });
  });
}
