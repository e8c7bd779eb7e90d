import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createConsoleFiles } from './console-files.ts';

it('a file that went while the server runs is told to be replaced, and served again once it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'));
  const file = join(folder, 'part.js');
  writeFileSync(file, 'one');
  const server = createServer(createConsoleFiles(folder, async () => ({})));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const ask = async (): Promise<readonly [number, string]> => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/part.js`);
    return [response.status, await response.text()];
  };
  rmSync(file);
  expect(await ask()).toEqual([503, expect.stringContaining('restart')]);
  writeFileSync(file, 'two');
  expect(await ask()).toEqual([200, 'two']);
  server.close();
  rmSync(folder, { recursive: true });
});
