import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startProgram } from '../support/program.ts';

test('a signal to npm stops the server that npm started, and npm exits as it does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-npm-'));
  const environment = { PORT: '0', HOST: '127.0.0.1', TOLLGATE_DATA_DIR: folder };
  const npm = startProgram('npm', ['run', '--silent', 'tollgate'], environment);
  const [, port] = await npm.printed(/http:\/\/[\w.[\]:]*?:(\d+)/);
  const health = `http://127.0.0.1:${port}/healthz`;
  expect((await fetch(health)).status).toBe(200);
  expect(await npm.end('SIGTERM')).toBe(0);
  await expect(fetch(health)).rejects.toThrow();
  await rm(folder, { recursive: true });
});

test('a signal that arrives twice, from the terminal and from npm, counts once: the server shuts down cleanly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-twice-'));
  const environment = { PORT: '0', HOST: '127.0.0.1', TOLLGATE_DATA_DIR: folder };
  const server = startProgram('node', ['src/server/main.ts'], environment);
  await server.printed(/http:/);
  process.kill(server.pid, 'SIGINT');
  expect(await server.end('SIGTERM')).toBe(0);
  await rm(folder, { recursive: true });
});

test('the same holds for every script that runs until it is stopped', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text));
  for (const name of ['start', 'dev', 'tollgate']) expect(scripts[name]).toMatch(/^exec node /);
});
