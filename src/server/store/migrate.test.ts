import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from './testing/engines.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`tables on ${engine.name}`, () => {
    it('that a newer version has been at are not opened, and the operator is told so', async () => {
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
  });
}
