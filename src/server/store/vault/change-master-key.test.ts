import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionPlace, WEBHOOK_SECRET, webhookPlace } from '#core/secrets/sealed-places.ts';
import { createUserStore } from '../people/user-store.ts';
import { newUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { keyNumberOf } from './cipher.ts';
import { changeMasterKey, KEY_COUNTS_AFTER_MS } from './change-master-key.ts';
import { endChange, resealAll } from './reseal.ts';
import { openVault, RING } from './vault.ts';

const AT = Date.UTC(2026, 10, 30);
const THEN = AT + KEY_COUNTS_AFTER_MS;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`a change of the master key on ${engine.name}`, () => {
    let opened: TestDatabase;
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-'));
    const keyFile = join(folder, 'master.key');
    const open = () => openVault(opened.database, { keyFile });
    const change = (text = '') => changeMasterKey(opened.database, { keyFile }, text, AT);
    const ring = async (): Promise<string> => {
      const facts = opened.database.writer.selectFrom('facts').select('value').where('key', '=', RING);
      return (await facts.executeTakeFirstOrThrow()).value;
    };
    beforeAll(async () => {
      opened = await engine.create();
    });
    afterAll(async () => {
      await opened.remove();
      rmSync(folder, { recursive: true });
    });

    it('is followed by nodes that run, without a restart, and each reads what the others encrypt', async () => {
      const [one, other] = [await open(), await open()];
      const before = one.encrypt('old', 'here');
      const found = one.mac('sk-1');
      expect(await change()).toEqual({ keyFile, before: `${keyFile}.1` });
      // Encrypted with the key of before until every node must have looked.
      expect((await one.follow(THEN - 1)).number).toBe(1);
      expect((await other.follow(THEN)).number).toBe(2);
      const sealed = other.encrypt('new', 'here');
      expect(keyNumberOf(sealed)).toBe(2);
      expect([one.decrypt(sealed, 'here'), other.decrypt(before, 'here')]).toEqual(['new', 'old']);
      const restarted = await open();
      expect([restarted.decrypt(sealed, 'here'), restarted.decrypt(before, 'here')]).toEqual(['new', 'old']);
      expect([one.mac('sk-1'), restarted.mac('sk-1')]).toEqual([found, found]);
    });

    it('makes the key of before useless, and says when it was changed', async () => {
      await expect(openVault(opened.database, { keyFile: `${keyFile}.1` })).rejects.toThrow(
        'which has another since 2026-11-30T00:00:00.000Z',
      );
      const text = await ring();
      for (const file of [keyFile, `${keyFile}.1`])
        expect(text).not.toContain(readFileSync(file, 'utf8').trim());
    });

    it('is done again with a key of the operator, while the one before it is not complete', async () => {
      const [running, text] = [await open(), 'a key of the operator, long enough for one'];
      await change(text);
      await running.follow(THEN);
      const sealed = running.encrypt('third', 'here');
      expect(keyNumberOf(sealed)).toBe(3);
      expect(readFileSync(keyFile, 'utf8').trim()).toBe(text);
      expect(
        (await openVault(opened.database, { masterKeyText: text, keyFile: '' })).decrypt(sealed, 'here'),
      ).toBe('third');
      await expect(change(text)).rejects.toThrow('is the one that is in use');
    });

    it('ends at the next start where it was cut off before the key file was in place', async () => {
      const before = readFileSync(keyFile, 'utf8');
      const sealed = (await open()).encrypt('kept', 'here');
      await change();
      const after = readFileSync(keyFile, 'utf8');
      // As it was just after the database had changed.
      rmSync(`${keyFile}.3`);
      writeFileSync(keyFile, before);
      writeFileSync(`${keyFile}.next-0`, 'of a command that was killed earlier');
      writeFileSync(`${keyFile}.next-1`, after);
      expect((await open()).decrypt(sealed, 'here')).toBe('kept');
      expect([readFileSync(keyFile, 'utf8'), readFileSync(`${keyFile}.3`, 'utf8')]).toEqual([after, before]);
    });

    it('of two commands at once leaves one key, and loses nothing', async () => {
      const sealed = (await open()).encrypt('kept', 'here');
      const done = await Promise.allSettled([change(), change()]);
      expect(done.map(({ status }) => status)).toContain('fulfilled');
      expect((await open()).decrypt(sealed, 'here')).toBe('kept');
      expect(readdirSync(folder).filter((name) => name.includes('.next-'))).toEqual(['master.key.next-0']);
    });

    it('encrypts more texts anew than one batch has, each once, and names what cannot be read', async () => {
      const vault = await open();
      const { writer } = opened.database;
      const names = Array.from({ length: 450 }, (_, at) => `option-${String(at)}`);
      const values = names.map((key) => ({ key, value: vault.encrypt(`of ${key}`, optionPlace(key)) }));
      const moved = { key: 'option-moved', value: vault.encrypt('of another', optionPlace('another')) };
      await writer
        .insertInto('options')
        .values([...values, moved, { key: 'option-plain', value: 'v1 is plain' }])
        .execute();
      await change();
      const { number } = await vault.follow(THEN);
      const [one, other] = await Promise.all([
        resealAll(opened.database, vault, number),
        resealAll(opened.database, vault, number),
      ]);
      expect(one.texts + other.texts).toBe(names.length);
      expect(one.unreadable).toEqual(['options.value option-moved']);
      const stored = await writer.selectFrom('options').selectAll().where('key', 'in', names).execute();
      const opens = stored.filter(({ key, value }) => vault.decrypt(value, optionPlace(key)) === `of ${key}`);
      expect([opens.length, new Set(stored.map(({ value }) => keyNumberOf(value)))]).toEqual([
        names.length,
        new Set([number]),
      ]);
      await writer.deleteFrom('options').where('key', 'like', 'option-%').execute();
    });

    it('finds a secret in JSON that another program has stored, with blanks after its colons', async () => {
      const vault = await open();
      const { writer } = opened.database;
      const id = await createUserStore(opened.database).create(newUser());
      if (id === 'taken') throw new Error('a random username was taken');
      const secret = vault.encrypt('hush', webhookPlace(id));
      const setting = `{"theme": "dark", "${WEBHOOK_SECRET}" : "${secret}"}`;
      await writer.updateTable('users').set({ setting }).where('id', '=', id).execute();
      await change();
      const { number } = await vault.follow(THEN);
      expect((await resealAll(opened.database, vault, number)).texts).toBe(1);
      const stored = await writer.selectFrom('users').select('setting').where('id', '=', id).execute();
      const { [WEBHOOK_SECRET]: sealed, ...others } = JSON.parse(stored[0]?.setting ?? '');
      expect([keyNumberOf(sealed), vault.decrypt(sealed, webhookPlace(id)), others]).toEqual([
        number,
        'hush',
        { theme: 'dark' },
      ]);
      expect((await resealAll(opened.database, vault, number)).texts).toBe(0);
    });

    it('passes a key on no more once it is complete, and a node that did not follow says so', async () => {
      const [followed, slept] = [await open(), await open()];
      await change();
      await followed.follow(THEN);
      await endChange(opened.database);
      expect(await ring()).not.toContain('byEarlier');
      expect(await followed.follow(THEN)).toMatchObject({ isPassedOn: false });
      const sealed = followed.encrypt('still', 'here');
      expect((await open()).decrypt(sealed, 'here')).toBe('still');
      await expect(slept.follow(THEN)).rejects.toThrow('start it again with the new one');
    });
  });
}
