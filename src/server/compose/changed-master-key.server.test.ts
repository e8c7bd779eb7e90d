import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { User } from '#core/user/user.ts';
import type { Caller } from '../http/testing/caller.ts';
import { openTwoNodes, type TwoNodes } from '../http/testing/two-nodes.ts';
import { hangUp, listening } from '../outbound/testing/local-server.ts';
import { PLAIN_ANSWER } from '../relay/testing/plain-answer.ts';
import { changeMasterKey, KEY_COUNTS_AFTER_MS } from '../store/vault/change-master-key.ts';
import { keyNumberOf } from '../store/vault/cipher.ts';
import { sealedColumns } from '../store/vault/sealed-columns.ts';

/** Two nodes on one PostgreSQL go on while their master key is changed, and afterwards nothing is left that the old keys open. */

const MASTER = 'a master key of more than 32 characters';
const UPSTREAM_KEY = 'sk-of-the-upstream-0123456789';
/** The new key counts at once. */
const changedAtMs = Date.now() - KEY_COUNTS_AFTER_MS;

let nodes: TwoNodes;
let upstream: Server;
/** The keys that the upstream was called with. */
const used = new Set<string>();
let alice: User;
let asAlice: Caller;
let key: string;
let code: string;
let totp: TOTP;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    used.add(request.headers.authorization ?? '');
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(PLAIN_ANSWER);
    });
  });
  const baseUrl = await listening(upstream);
  nodes = await openTwoNodes('PostgreSQL', async ({ stage, root, set, spender, asRoot }) => {
    await set('ModelRatio', JSON.stringify({ m: 1 }));
    await set('SMTPToken', 'secret of the mail server');
    await stage.channel(root, { baseUrl, models: 'm', key: UPSTREAM_KEY });
    const proxied = { baseUrl, models: 'far', setting: '{"proxy":"http://me:hidden@127.0.0.1:9"}' };
    await stage.channel(root, { ...proxied, key: 'sk-by-a-proxy' });
    const pool = await stage.pool(root, {
      baseUrl,
      models: 'pooled',
      key: 'sk-first-of-two\nsk-second-of-two',
    });
    const [first] = await stage.keysOf(pool.id);
    const edit = { proxy: 'http://me:hidden@127.0.0.1:9', key: 'sk-first-by-a-proxy' };
    await asRoot(`/api/channel/${pool.id}/keys/${String(first?.id)}`, { method: 'PUT', body: edit });
    await asRoot('/api/seal/key', { method: 'POST' });
    ({ user: alice, key } = await spender('alice', 10_000_000));
    asAlice = stage.caller(await stage.session(alice));
    code = await stage.code(root);
    const { secret } = (await asAlice('/api/user/2fa/setup', { method: 'POST' })).data as { secret: string };
    totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const webhook = { notify_type: 'webhook', webhook_url: 'https://h.example', webhook_secret: 'hush' };
    await asAlice('/api/user/setting', { method: 'PUT', body: webhook });
  });
});
afterAll(async () => {
  await nodes.close();
  hangUp(upstream);
});

const call = async (url: string): Promise<number> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
  return response.status;
};

/** Every encrypted text of the whole database, by its column, with the numbers of the keys. */
const sealedTexts = async (): Promise<Readonly<Record<string, readonly number[]>>> => {
  const { writer } = nodes.here.server.parts.stores.database;
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND data_type = 'text' AND table_name <> 'facts'`.execute(writer);
  const found: Record<string, readonly number[]> = {};
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await sql<{ text: string }>`
      SELECT ${sql.ref(column)} AS text FROM ${sql.table(table)} WHERE ${sql.ref(column)} LIKE '%v_.%'`.execute(
      writer,
    );
    const numbers = rows.flatMap(({ text }) =>
      [...text.matchAll(/\bv\d+\.[\w-]{38,}/g)].map(([sealed]) => keyNumberOf(sealed) ?? 0),
    );
    if (numbers.length > 0)
      found[`${table}.${column}`] = [...new Set(numbers)].toSorted((one, other) => one - other);
  }
  return found;
};

const places = sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted();

it('every column with encrypted texts is known, and these have all of them', async () => {
  const found = await sealedTexts();
  expect(Object.keys(found).toSorted()).toEqual(places);
  expect(Object.values(found).flat()).toEqual(places.map(() => 1));
});

it('while calls go on at both nodes, everything is encrypted anew, and opens as before', async () => {
  const { here, there } = nodes;
  const [one, other] = [here.server.parts.stores, there.parts.stores];
  const statuses: number[] = [];
  let isOver = false;
  const caller = async (url: string): Promise<void> => {
    while (!isOver) statuses.push(await call(url));
  };
  const calling = [here.server.url, there.url].map(caller);
  await changeMasterKey(
    one.database,
    { masterKeyText: MASTER, keyFile: '' },
    `another ${MASTER}`,
    changedAtMs,
  );
  for (const { vault } of [one, other]) expect((await vault.follow(Date.now())).number).toBe(2);
  const done = await Promise.all([one.reseal(2), other.reseal(2)]);
  await one.endChange();
  isOver = true;
  await Promise.all(calling);

  expect(done.flatMap(({ unreadable }) => unreadable)).toEqual([]);
  const found = await sealedTexts();
  expect(Object.keys(found).toSorted()).toEqual(places);
  expect(Object.values(found).flat()).toEqual(places.map(() => 2));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(used).toEqual(new Set([`Bearer ${UPSTREAM_KEY}`]));

  // What is read anew from the database opens: at both nodes, for those it belongs to.
  for (const parts of [here.server.parts, there.parts]) await parts.refreshRouting();
  expect([await call(here.server.url), await call(there.url)]).toEqual([200, 200]);
  for (const { parts } of [here.server, there]) {
    const channels = [...parts.routing().channels.values()];
    const passwords = channels.flatMap(({ setting, pool }) => [
      setting.proxy,
      ...pool.map((one) => one.proxy),
    ]);
    expect(passwords.flatMap((proxy) => proxy?.password.reveal() ?? [])).toEqual(['hidden', 'hidden']);
    expect(parts.routing().options.SMTPToken).toBe('secret of the mail server');
  }
  const { items } = (await asAlice('/api/token')).data as { items: { id: number }[] };
  const shown = await asAlice(`/api/token/${String(items[0]?.id)}`);
  expect(JSON.stringify(shown.data)).toContain(key);
  const { items: codes } = (await here.asRoot('/api/redemption')).data as { items: object[] };
  expect(JSON.stringify(codes)).toContain(code);
  const confirmed = await asAlice('/api/user/2fa/enable', {
    method: 'POST',
    body: { code: totp.generate() },
  });
  expect(confirmed.message).toBe('');
  expect((await here.asRoot('/api/seal/key', { method: 'POST' })).message).toBe('');
});
