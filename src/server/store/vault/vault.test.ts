import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { openVault } from './vault.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the vault on ${engine.name}`, () => {
    let opened: TestDatabase;
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-vault-'));
    const keyFile = join(folder, 'master.key');
    beforeAll(async () => {
      opened = await engine.create();
    });
    afterAll(async () => {
      await opened.remove();
      rmSync(folder, { recursive: true });
    });

    it('makes a key file only its owner can read, and opens what it sealed after a restart', async () => {
      const sealed = (await openVault(opened.database, { keyFile })).encrypt('sk-ключ', 'channel:12');
      expect(statSync(keyFile).mode & 0o777).toBe(0o600);
      expect((await openVault(opened.database, { keyFile })).decrypt(sealed, 'channel:12')).toBe('sk-ключ');
      expect(sealed).not.toContain('sk-');
    });

    it('opens nothing that was moved, changed or cut', async () => {
      const vault = await openVault(opened.database, { keyFile });
      const sealed = vault.encrypt('secret', 'channel:1');
      expect(vault.encrypt('secret', 'channel:1')).not.toBe(sealed);
      expect(() => vault.decrypt(sealed, 'channel:2')).toThrow();
      expect(() => vault.decrypt(sealed.slice(0, -4), 'channel:1')).toThrow();
      expect(() => vault.decrypt(`v1.${'A'.repeat(60)}`, 'channel:1')).toThrow();
      expect(() => vault.decrypt('', 'channel:1')).toThrow('not a sealed text');
    });

    it('finds the same text by the same value, under the same key only', async () => {
      const vault = await openVault(opened.database, { keyFile });
      expect(vault.mac('sk-1')).toBe((await openVault(opened.database, { keyFile })).mac('sk-1'));
      expect(vault.mac('sk-1')).not.toBe(vault.mac('sk-2'));
    });

    it('says that the key file is lost, and puts no other in its place', async () => {
      await openVault(opened.database, { keyFile });
      const lost = join(folder, 'lost.key');
      await expect(openVault(opened.database, { keyFile: lost })).rejects.toThrow(
        `the master key file ${lost} of this database cannot be read`,
      );
      expect(existsSync(lost)).toBe(false);
    });

    it('leaves a folder that is named as the key file as it is', async () => {
      const shared = mkdtempSync(join(folder, 'shared-'));
      chmodSync(shared, 0o755);
      await expect(openVault(opened.database, { keyFile: shared })).rejects.toThrow('cannot be read');
      expect(statSync(shared).mode & 0o777).toBe(0o755);
    });

    it.skipIf(process.platform === 'win32')(
      'refuses a pipe or a device as the key file at once, instead of waiting for its end',
      async () => {
        await openVault(opened.database, { keyFile });
        const pipe = join(folder, 'pipe');
        if (!existsSync(pipe)) execFileSync('mkfifo', [pipe]);
        for (const endless of [pipe, '/dev/zero'])
          await expect(openVault(opened.database, { keyFile: endless })).rejects.toThrow(
            `the master key file ${endless} of this database cannot be read`,
          );
      },
    );

    it('refuses to start with another master key', async () => {
      const masterKeyText = 'another key, long enough to be one';
      await expect(openVault(opened.database, { masterKeyText, keyFile })).rejects.toThrow(
        'is not the one this database',
      );
      await expect(openVault(opened.database, { masterKeyText: 'short', keyFile })).rejects.toThrow(
        'at least 32',
      );
    });
  });
}
