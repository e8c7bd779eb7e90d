import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addressOf, listening } from '../../outbound/testing/local-server.ts';
import { createConsoleFiles } from './console-files.ts';

/** A folder of a console that is served, with a way to ask for a path and one to end. */
const served = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'));
  mkdirSync(join(folder, 'assets'));
  const server = createServer(createConsoleFiles(folder, async () => ({})));
  await listening(server);
  const url = (): string => addressOf(server);
  return {
    folder,
    url,
    ask: async (path: string): Promise<readonly [number, string]> => {
      const response = await fetch(`${url()}${path}`);
      return [response.status, await response.text()];
    },
    end: () => {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
};

const build = (folder: string, name: string): void => {
  writeFileSync(join(folder, 'assets', `${name}.js`), name);
  writeFileSync(join(folder, 'index.html'), `<script src="/assets/${name}.js"></script>`);
};

it('a file that vanishes while the server runs is answered as replaced, and served again once it is back', async () => {
  const { folder, ask, end } = await served();
  const file = join(folder, 'part.js');
  writeFileSync(file, 'one');
  build(folder, 'any');
  expect(await ask('/part.js')).toEqual([200, 'one']);
  writeFileSync(join(folder, 'other.js'), 'one');
  build(folder, 'next');
  expect(await ask('/other.js')).toEqual([200, 'one']);
  rmSync(file);
  expect(await ask('/part.js')).toEqual([503, expect.stringContaining('reload')]);
  writeFileSync(file, 'two');
  expect(await ask('/part.js')).toEqual([200, 'two']);
  end();
});

it('answers about missing files are not cacheable', async () => {
  const { folder, url, end } = await served();
  build(folder, 'first');
  const kept = async (path: string) => (await fetch(`${url()}${path}`)).headers.get('cache-control');
  expect(await kept('/assets/second.js')).toBe('no-store');
  expect(await kept('/')).toBe('no-cache');
  expect(await kept('/assets/first.js')).toContain('immutable');
  end();
});

it('a console that is built while the server runs is served whole: the new page with the new files', async () => {
  const { folder, ask, end } = await served();
  expect((await ask('/channel'))[1]).toContain('has not been built');
  build(folder, 'first');
  expect(await ask('/channel')).toEqual([200, expect.stringContaining('/assets/first.js')]);
  expect(await ask('/assets/first.js')).toEqual([200, 'first']);
  // A build begins with an empty folder.
  rmSync(join(folder, 'index.html'));
  rmSync(join(folder, 'assets', 'first.js'));
  expect(await ask('/channel')).toEqual([200, expect.stringContaining('/assets/first.js')]);
  build(folder, 'second');
  expect(await ask('/channel')).toEqual([200, expect.stringContaining('/assets/second.js')]);
  expect(await ask('/assets/second.js')).toEqual([200, 'second']);
  expect((await ask('/assets/first.js'))[0]).toBe(404);
  end();
});

it('an address without a page gets the page with status 404, so that no client takes it for an API answer', async () => {
  const { folder, ask, end } = await served();
  const addresses = ['/', '/login', '/oauth/$provider', '/chat/{-$id}', '/user/edit/$id'];
  writeFileSync(join(folder, 'addresses.json'), JSON.stringify(addresses));
  build(folder, 'any');
  const status = async (path: string): Promise<number> => (await ask(path))[0];
  const pages = [
    '/',
    '/login',
    '/login/',
    '/login?next=/',
    '/oauth/github',
    '/chat',
    '/chat/7',
    '/user/edit/3',
  ];
  for (const path of [...pages, '/index.html']) expect([path, await status(path)]).toEqual([path, 200]);
  const others = [
    '/health',
    '/models',
    '/login/more',
    '/oauth',
    '/oauth/a/b',
    '/chat/7/8',
    '/user/edit',
    '//login',
  ];
  for (const path of others) expect([path, await status(path)]).toEqual([path, 404]);
  expect((await ask('/health'))[1]).toContain('/assets/any.js');
  end();
});
