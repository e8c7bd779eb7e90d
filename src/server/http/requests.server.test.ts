import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { role } from '#contract/codes.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import type { Caller } from './testing/caller.ts';
import { type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

const folder = temporaryFolder();
const consoleFolder = join(folder.path, 'console');
let server: RunningServer;
let stage: Stage;
let root: Caller;
let admin: Caller;
let anonymous: Caller;

const PAGE = '<!doctype html><title>t</title><script type="application/json" id="site-status">null</script>';

beforeAll(async () => {
  mkdirSync(join(consoleFolder, 'assets'), { recursive: true });
  writeFileSync(join(consoleFolder, 'index.html'), PAGE);
  writeFileSync(join(consoleFolder, 'assets/app-1a2b.js'), `const text = "${'x'.repeat(5000)}";`);
  const environment = { ...testEnvironment(folder.path), TOLLGATE_SEARCH_LIMIT_PER_USER: '3' };
  server = await startServer(readConfig(environment), { log: keptLog(), consoleFolder });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  admin = stage.caller(await stage.session(await stage.person('admin', role.admin)));
  anonymous = stage.caller();
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const login = (body: string, type = 'application/json') =>
  anonymous('/api/user/login', { method: 'POST', body, headers: { 'Content-Type': type } });

describe('a body', () => {
  it.each([
    ['{"username":', 'application/json', 400, 'not valid JSON'],
    ['', 'application/json', 400, 'not valid JSON'],
    ['[]', 'application/json', 400, 'invalid parameter'],
    ['{"username":"a","password":"b","role":100}', 'application/json', 400, 'unknown field role'],
    ['{"username":"a","password":1}', 'application/json', 400, 'invalid parameter password'],
    ['{"username":"a\\u0000","password":"b"}', 'application/json', 400, 'invalid parameter username'],
    ['username=a&password=b', 'application/x-www-form-urlencoded', 415, 'application/json'],
    ['{"username":"a","password":"b"}', 'text/plain', 415, 'application/json'],
  ])('%j as %s is refused with %i', async (body, type, status, message) => {
    const got = await login(body, type);
    expect([got.status, got.success]).toEqual([status, false]);
    expect(got.message).toContain(message);
  });

  it('that is compressed is refused as such, and one sent as “identity” is read', async () => {
    const packed = (coding: string) =>
      anonymous('/api/user/login', {
        method: 'POST',
        body: '{"username":"a","password":"b"}',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
      });
    expect(await packed('gzip')).toMatchObject({ status: 415, message: 'the body must not be compressed' });
    expect((await packed('Identity')).message).toContain('incorrect');
  });

  it('may be deep or large without harm, and only with an account may it be large', async () => {
    const before = process.threadCpuUsage();
    expect(
      (await login(`{"username":${'['.repeat(100_000)}${']'.repeat(100_000)},"password":"b"}`)).status,
    ).toBe(413);
    const body = `{"username":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const got = await root('/api/user/self', {
      method: 'PUT',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect([got.status, got.message]).toEqual([400, expect.stringContaining('nests deeper')]);
    expect((await login(`{"username":"a","password":"${'x'.repeat(64 * 1024)}"}`)).status).toBe(413);
    // CPU time, so that other load on the machine does not count.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it('of three megabytes is accepted only for options', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024);
    const send = (method: string, path: string, body: unknown) => root(path, { method, body });
    const channel = { type: 1, name: 'a', key: 'k', models: 'm', group: 'default', model_mapping: text };
    expect((await send('POST', '/api/channel', channel)).status).toBe(413);
    expect((await send('PUT', '/api/user/self', { display_name: text })).status).toBe(413);
    expect(await send('PUT', '/api/option', { key: 'SensitiveWords', value: text })).toMatchObject({
      success: true,
    });
    expect((await send('PUT', '/api/option', { key: 'SensitiveWords', value: '' })).success).toBe(true);
  });

  it('has at most as many values as a price list may have', async () => {
    const entry = (_: unknown, at: number) => ({ option: 'ModelRatio', key: `model-${at}`, value: 1 + at });
    const draft = (count: number) =>
      root('/api/price_book/draft', {
        method: 'POST',
        body: { entries: Array.from({ length: count }, entry) },
      });
    expect(await draft(5000)).toMatchObject({ status: 200, success: true });
    expect((await draft(5001)).status).toBe(400);
    expect((await draft(10_000)).message).toContain('too many values');
    const price = { price: null, ratio: 1, completion_ratio: 2, cache_ratio: null, create_cache_ratio: null };
    const models = Array.from({ length: 2000 }, (_, at) => ({ ...price, model: `model-${at}` }));
    expect(await root('/api/pricing/models', { method: 'PUT', body: { models } })).toMatchObject({
      success: true,
    });
  });

  it('is counted as it arrives if its length is not stated', async () => {
    const { port } = new URL(server.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          'POST /api/user/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        );
        const chunk = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
        for (let n = 0; n < 10; n += 1) socket.write(chunk);
      });
      let text = '';
      socket.on('data', (part: Buffer) => {
        text += part.toString();
        if (text.includes('\r\n\r\n')) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

it('an unknown path or method answers 404 in the envelope', async () => {
  for (const [path, method] of [
    ['/api/nothing', 'GET'],
    ['/api/status', 'DELETE'],
    ['/api/', 'GET'],
    ['/api', 'POST'],
  ] as const) {
    const got = await anonymous(path, { method });
    expect([got.status, got.success]).toEqual([404, false]);
  }
});

it('searches are counted by user, and say when to come back', async () => {
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await root('/api/token/search?keyword=a')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await admin('/api/token/search?keyword=a')).status).toBe(200);
});

it('the OpenAPI document tells every endpoint', async () => {
  const got = await anonymous('/api/openapi.json');
  const document = JSON.parse(got.text) as {
    openapi: string;
    paths: Record<string, Record<string, { readonly responses: object }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  const told = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(told.toSorted()).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
  );
  const statusesOf = (path: string, method: string): string[] =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {});
  expect(statusesOf('/api/token/{id}', 'get')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '429',
    '431',
    '500',
  ]);
  expect(statusesOf('/api/token', 'post')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '413',
    '415',
    '429',
    '431',
    '500',
  ]);
});

describe('an option', () => {
  const set = (key: string, value: unknown) => root('/api/option', { method: 'PUT', body: { key, value } });
  const read = async (key: string) =>
    ((await root('/api/option/')).data as { key: string; value: string }[]).find(
      (option) => option.key === key,
    )?.value;

  it('takes effect once it is answered, and is stored as text', async () => {
    await set('SystemName', 'My gate');
    await set('DisplayInCurrencyEnabled', false);
    await set('ServerAddress', 'https://gate.example///');
    expect((await anonymous('/api/status')).data).toMatchObject({
      system_name: 'My gate',
      display_in_currency: false,
      server_address: 'https://gate.example',
    });
    expect([await read('DisplayInCurrencyEnabled'), await read('ServerAddress')]).toEqual([
      'false',
      'https://gate.example',
    ]);
  });

  it.each([
    ['ModelRatio', '{"gpt":'],
    ['ModelRatio', '{"gpt":-1}'],
    ['ModelRatio', '{"gpt":"1"}'],
    ['GroupRatio', '[]'],
    ['RetryTimes', 'many'],
    ['RetryTimes', '11'],
    ['DemoSiteEnabled', 'maybe'],
    ['NoSuchOption', '1'],
  ])('%s is not set to %j: nothing changes', async (key, value) => {
    const before = await read(key);
    const got = await set(key, value);
    expect([got.status, got.success]).toEqual([400, false]);
    expect(got.message).toContain(key);
    expect(await read(key)).toBe(before);
    expect((await server.parts.stores.options.all()).get(key)).not.toBe(value);
  });

  it('is never one of the rows the server keeps for itself', async () => {
    await server.parts.stores.options.set('internal.canary', 'canary', 0);
    expect((await root('/api/option')).text).not.toContain('internal');
    expect((await set('internal.canary', 'x')).status).toBe(400);
  });

  it('makes the site a demo, where only the super admin changes anything', async () => {
    await set('DemoSiteEnabled', 'true');
    const write = { method: 'POST', body: { name: 'mine' } };
    const [refused, looked, allowed] = [
      await admin('/api/token', write),
      await admin('/api/token'),
      await root('/api/token', write),
    ];
    expect([refused.status, looked.status, allowed.status]).toEqual([405, 200, 200]);
    expect((await admin('/api/user/token')).status).toBe(405);
    expect((await set('DemoSiteEnabled', 'false')).success).toBe(true);
  });
});

describe('the console', () => {
  it('has the status inside the page, and nothing in it can end the script', async () => {
    await root('/api/option', {
      method: 'PUT',
      body: { key: 'SystemName', value: '</script><script>alert(1)//' },
    });
    for (const path of ['/', '/token', '/channel/edit/7', '/index.html?x=1']) {
      const got = await anonymous(path);
      expect(got.status).toBe(200);
      expect(got.text.match(/<\/script>/g)).toHaveLength(1);
      const json = /id="site-status">(.*?)<\/script>/.exec(got.text)?.[1] ?? '';
      expect(JSON.parse(json)).toMatchObject({
        system_name: '</script><script>alert(1)//',
        quota_per_unit: 500_000,
      });
      expect(got.headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(got.headers.get('cache-control')).toBe('no-cache');
      expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('keeps hashed files for a year and sends them small', async () => {
    const got = await anonymous('/assets/app-1a2b.js', { headers: { 'Accept-Encoding': 'br' } });
    expect(got.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(got.headers.get('content-encoding')).toBe('br');
    expect(Number(got.headers.get('content-length'))).toBeLessThan(100);
    expect(got.text).toContain('const text');
  });

  it('reads no path from the disk', async () => {
    for (const path of ['/assets/%2e%2e/%2e%2e/tollgate.db', '/..%2f..%2fmaster.key', '/assets/none.js']) {
      expect((await anonymous(path)).status).toBe(404);
    }
    expect((await anonymous('/token', { method: 'POST' })).status).toBe(405);
  });
});
