import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { endpoints } from '../../src/contract/api/endpoints.ts';
import { sharedBrowser } from '../support/chromium.ts';
import { type ConsoleVisit, visitConsole } from '../support/console-visit.ts';
import { makeChannel, makeToken, rootPassword, setUp } from '../support/operator.ts';
import { shortLived, startTollgate, type Tollgate } from '../support/tollgate.ts';

/**
 * What a foreign page can do with the session of a super admin who has just confirmed their identity. One such page
 * is on another site (`localhost`), one on the same site at another port, which SameSite cookies do not block.
 */

let tollgate: Tollgate;
let browser: Browser;
let elsewhere: Server;
let port = 0;

beforeAll(async () => {
  tollgate = await startTollgate({ nodeFlags: shortLived });
  const operator = await setUp(tollgate);
  await makeChannel(operator, { name: 'kept', baseUrl: 'http://127.0.0.1:1', models: ['gpt-4o'] });
  await makeToken(operator, {});
  elsewhere = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>'),
  );
  await listening(elsewhere);
  const address = elsewhere.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  browser = await sharedBrowser();
});
afterAll(async () => {
  elsewhere.close();
  await tollgate.stop();
});

const TABLES = ['users', 'tokens', 'channels', 'options', 'redemptions', 'journal', 'identities', 'passkeys'];

/** Everything that a call could change, and who is signed in, but not when users were last active. */
const everything = (): string => {
  const database = new DatabaseSync(join(tollgate.dataDir, 'tollgate.db'), { readOnly: true });
  try {
    const known = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const tables = TABLES.filter((table) => known.some(({ name }) => name === table));
    const rows = tables.map((table) => database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all());
    const sessions = database.prepare('SELECT id_hash, user_id, fresh_until FROM sessions ORDER BY 1').all();
    return JSON.stringify([tables, rows, sessions]);
  } finally {
    database.close();
  }
};

const pathOf = ({ path }: (typeof endpoints)[number]): string => path.replaceAll(/:\w+/g, '1');

const targetsOf = (method: string): string[] =>
  endpoints
    .filter((endpoint) => endpoint.method === method)
    .map((endpoint) => `${tollgate.url}${pathOf(endpoint)}`);

/** GET endpoints that change something, because existing clients expect GET. */
const changingGets = (): string[] =>
  ['user/logout', 'user/token', 'user/aff', 'channel/test', 'channel/test/1', 'channel/update_balance/1'].map(
    (path) => `${tollgate.url}/api/${path}`,
  );

const NEW_ADMIN = '{"username":"evil","password":"a good password","display_name":"evil","role":10}';

const withPictures = (page: Page, targets: readonly string[]): Promise<unknown> =>
  page.evaluate(async (urls) => {
    const ends = urls.map(
      (url) =>
        new Promise((resolve) => {
          const picture = new Image();
          picture.onload = resolve;
          picture.onerror = resolve;
          picture.src = url;
        }),
    );
    await Promise.all(ends);
  }, targets);

/** Every kind of request without a preflight, then those with one. */
const withFetch = (page: Page, targets: readonly string[], method: string): Promise<unknown> =>
  page.evaluate(
    async ({ urls, how, body }) => {
      const kinds: readonly RequestInit[] = [
        { mode: 'no-cors' },
        { mode: 'cors' },
        { mode: 'cors', headers: { 'content-type': 'application/json', 'New-Api-User': '1' } },
      ];
      for (const url of urls) {
        const beside = { method: how, credentials: 'include', ...(how !== 'GET' && { body }) } as const;
        await Promise.all(kinds.map((kind) => fetch(url, { ...kind, ...beside }).catch(() => {})));
      }
    },
    { urls: targets, how: method, body: NEW_ADMIN },
  );

const withLink = async (page: Page, target: string): Promise<void> => {
  await Promise.all([
    page.waitForURL(target),
    page.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
    }, target),
  ]);
};

/** A form that is valid JSON when it is sent as plain text. */
const withForm = async (page: Page, target: string, method: string, type: string): Promise<void> => {
  await Promise.all([
    page.waitForURL((address) => address.href.split('?')[0] === target),
    page.evaluate(
      ({ url, how, encoding, body }) => {
        const form = document.createElement('form');
        form.action = url;
        form.method = how;
        form.enctype = encoding;
        const field = document.createElement('input');
        field.name = `${body.slice(0, -1)},"x":"`;
        field.value = '"}';
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      { url: target, how: method, encoding: type, body: NEW_ADMIN },
    ),
  ]);
};

/** Requests that need a session and no preflight. */
const needsSession = endpoints.filter(
  ({ access, method }) => access !== 'public' && (method === 'GET' || method === 'POST'),
);

/** The status of each call that needs a session, by path. */
const answersTo = (page: Page, url: string): ReadonlyMap<string, ReadonlySet<number>> => {
  const answers = new Map(needsSession.map((endpoint) => [pathOf(endpoint), new Set<number>()]));
  page.context().on('response', (response: Response) => {
    const address = new URL(response.url());
    if (address.origin !== url || response.request().method() === 'OPTIONS') return;
    answers.get(address.pathname)?.add(response.status());
  });
  return answers;
};

const attack = async ({ page }: ConsoleVisit, host: string): Promise<void> => {
  const home = `http://${host}:${port}/`;
  await page.goto(home);
  await withPictures(page, targetsOf('GET'));
  await withFetch(page, [...targetsOf('GET'), ...changingGets()], 'GET');
  for (const method of ['POST', 'PUT', 'DELETE']) await withFetch(page, targetsOf(method), method);
  for (const target of changingGets()) {
    await page.goto(home);
    await withLink(page, target);
    await page.goto(home);
    await withForm(page, target, 'get', 'application/x-www-form-urlencoded');
  }
  for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
    await page.goto(home);
    await withForm(page, `${tollgate.url}/api/user/`, 'post', type);
  }
};

test.each(['localhost', '127.0.0.1'])(
  'links, forms, pictures and fetches of a page at %s change nothing and are told nothing',
  async (host) => {
    const visit = await visitConsole(browser, {
      url: tollgate.url,
      username: 'root',
      password: rootPassword,
    });
    const before = everything();
    const answers = answersTo(visit.page, tollgate.url);
    await attack(visit, host);
    expect(everything()).toBe(before);
    expect([...answers].filter(([, statuses]) => [...statuses].join() !== '403')).toEqual([]);
    // The session exists, and the same call from our own page works.
    await visit.page.goto('/theme.js');
    const status = await visit.page.evaluate(
      async () => (await fetch('/api/user/token', { headers: { 'New-Api-User': '1' } })).status,
    );
    expect(status).toBe(200);
    expect(everything()).not.toBe(before);
    await visit.close();
  },
);
