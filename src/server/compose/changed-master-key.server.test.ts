import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { User } from '#core/user/user.ts';
import type { Caller, Got } from '../http/testing/caller.ts';
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

const itemsOf = ({ data }: Got) => (data as { items: { id: number; models?: string }[] }).items;

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

it('where nothing encrypted can be opened any more, all is still listed, refused in words, replaced and deleted', async () => {
  const { asRoot, server } = nodes.here;
  const { writer } = server.parts.stores.database;
  for (const { table, column } of sealedColumns) {
    const sealed = sql.ref(column);
    await sql`UPDATE ${sql.table(table)} SET ${sealed} =
      regexp_replace(${sealed}, '(v2[.][\\w-]{20})[\\w-]{6}', '\\1AAAAAA')`.execute(writer);
  }
  await sql`UPDATE channels SET revision = revision + 1000`.execute(writer);
  await server.parts.refreshRouting();

  const [token] = itemsOf(await asAlice('/api/token'));
  expect(token).toMatchObject({ key: '', name: expect.any(String) });
  const tokenUrl = `/api/token/${String(token?.id)}`;
  expect((await asAlice(tokenUrl)).data).toMatchObject({ key: '' });
  expect(itemsOf(await asAlice('/api/token/search?token=abc'))).toEqual([]);
  expect(await call(server.url)).toBe(503);
  expect((await asAlice(tokenUrl, { method: 'DELETE' })).success).toBe(true);

  const [made] = itemsOf(await asRoot('/api/redemption'));
  expect(made).toMatchObject({ key: '' });
  expect((await asRoot(`/api/redemption/${String(made?.id)}`, { method: 'DELETE' })).success).toBe(true);

  const alone = itemsOf(await asRoot('/api/channel')).find(({ models }) => models === 'm');
  const id = Number(alone?.id);
  const damaged = `the stored key of channel ${id} cannot be decrypted: enter it again`;
  for (const path of [`/api/channel/copy/${id}`, `/api/channel/${id}/keys`]) {
    const body = path.endsWith('keys') ? { keys: 'sk-a-second-one' } : {};
    expect(await asRoot(path, { method: 'POST', body })).toMatchObject({ status: 200, message: damaged });
  }
  const proxied = itemsOf(await asRoot('/api/channel')).find(({ models }) => models === 'far');
  await asRoot('/api/channel', { method: 'PUT', body: { id: proxied?.id, key: 'sk-by-a-proxy' } });
  const again = { id, key: UPSTREAM_KEY };
  expect((await asRoot('/api/channel', { method: 'PUT', body: again })).message).toBe('');
  expect(server.parts.routing().bad.map(({ reason }) => reason)).toEqual([
    'the stored password of the proxy http://me@127.0.0.1:9 cannot be decrypted: enter it again',
  ]);

  const language = { language: 'en' };
  expect((await asAlice('/api/user/setting', { method: 'PUT', body: language })).message).toBe('');
  const body = { code: totp.generate() };
  expect((await asAlice('/api/user/2fa/disable', { method: 'POST', body })).message).toBe(
    'the secret of your app cannot be decrypted: use a backup code, or ask an administrator to turn two-step sign-in off',
  );
  expect((await asRoot(`/api/user/${alice.id}/2fa`, { method: 'DELETE' })).message).toBe('');
  expect((await asRoot('/api/option')).status).toBe(200);
});
