import { afterAll, beforeAll, expect, it } from 'vitest';
import { role, userStatus } from '#contract/codes.ts';
import type { SharedUsage } from '#contract/api/people/usage-links.ts';
import { callLog } from '../../../store/testing/accounts.ts';
import type { Caller, Got } from '../../testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

/** Links that show the usage of one token to anybody who has them. */

const DAY_MS = 86_400_000;
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const ENDED = 'this link is not valid, or not any more';
let scene: Scene;
let alice: Spender;
let bob: Spender;
let asAlice: Caller;
let asAnybody: Caller;
let tokenId: number;

const charge = async ({ user }: Spender, token: number, model: string, units: number, atMs: number) => {
  const { ledger } = scene.server.parts.stores;
  const id = `${user.id}-${token}-${model}-${atMs}`;
  await ledger.hold({
    id,
    userId: user.id,
    tokenId: token,
    quotaUnits: 900,
    nowMs: atMs,
    expiresAtMs: atMs + 9e9,
  });
  const log = callLog({
    requestId: id,
    userId: user.id,
    tokenId: token,
    model,
    createdAtMs: atMs,
    quotaUnits: units,
    ip: '192.0.2.7',
  });
  await ledger.settle({ id, quotaUnits: units, nowMs: atMs, log, writeLog: true });
};

beforeAll(async () => {
  scene = await openScene();
  alice = await scene.spender('alice', 1_000_000);
  bob = await scene.spender('bob', 1_000_000);
  asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  asAnybody = scene.stage.caller();
  tokenId = (await scene.stage.token(alice.user, 'for the customer')).id;
  await scene.server.parts.tokens.update(alice.user, tokenId, { remainQuotaUnits: 10_000 });
  const another = await scene.stage.token(alice.user, 'private');
  await scene.server.parts.tokens.update(alice.user, another.id, { unlimited: true });
  await charge(alice, tokenId, 'gpt-5', 700, TODAY_MS);
  await charge(alice, tokenId, 'claude', 9, TODAY_MS - 2 * DAY_MS);
  await charge(alice, tokenId, 'gpt-5', 41, TODAY_MS - 29 * DAY_MS);
  await charge(alice, tokenId, 'ancient', 5, TODAY_MS - 30 * DAY_MS);
  await charge(alice, another.id, 'secret-model', 300, TODAY_MS);
});
afterAll(() => scene.close());

const make = async (as: Caller, more: object = {}) =>
  (await as('/api/usage_link', { method: 'POST', body: { token_id: tokenId, ...more } })).data as {
    id: number;
    link: string;
  };
const open = (link: string): Promise<Got> =>
  asAnybody('/api/usage_link/open', { method: 'POST', body: { link } });

it('shows its holder what its token has used, to the unit, and nothing else', async () => {
  const { link } = await make(asAlice);
  const got = await open(link);
  const counts = { calls: 1, prompt_tokens: 100, completion_tokens: 20 };
  expect(got.data as SharedUsage).toEqual({
    name: 'for the customer',
    status: 1,
    created_time: expect.any(Number) as number,
    expired_time: null,
    used_units: 755,
    remaining_units: 9245,
    days: [
      { day: TODAY_MS / 1000 - 29 * 86_400, ...counts, units: 41 },
      { day: TODAY_MS / 1000 - 2 * 86_400, ...counts, units: 9 },
      { day: TODAY_MS / 1000, ...counts, units: 700 },
    ],
    models: [
      { model: 'gpt-5', calls: 2, prompt_tokens: 200, completion_tokens: 40, units: 741 },
      { model: 'claude', ...counts, units: 9 },
    ],
    link_expired_time: null,
  });
  expect(got.text).not.toMatch(/alice|private|secret-model|192\.0\.2\.7|sk-|cost|channel/);
});

it('of a token without a limit says nothing of the balance of its account', async () => {
  const token = await scene.stage.token(alice.user, 'unlimited');
  await scene.server.parts.tokens.update(alice.user, token.id, { unlimited: true });
  const { link } = await make(asAlice, { token_id: token.id });
  expect((await open(link)).data).toMatchObject({ remaining_units: null, days: [] });
});

it('ends at once when it is revoked, when it expires, and with its token or its owner', async () => {
  const revoked = await make(asAlice);
  expect((await open(revoked.link)).success).toBe(true);
  expect((await asAlice(`/api/usage_link/${revoked.id}`, { method: 'DELETE' })).success).toBe(true);
  expect(await open(revoked.link)).toMatchObject({ success: false, message: ENDED, data: null });
  expect((await asAlice(`/api/usage_link/${revoked.id}`, { method: 'DELETE' })).success).toBe(false);

  const brief = await make(asAlice, { expired_time: Math.floor(Date.now() / 1000) + 3600 });
  expect((await open(brief.link)).success).toBe(true);
  const { writer } = scene.server.parts.stores.database;
  await writer
    .updateTable('usage_links')
    .set({ expires_at: Date.now() })
    .where('id', '=', brief.id)
    .execute();
  expect((await open(brief.link)).message).toBe(ENDED);
  const past = { token_id: tokenId, expired_time: 1 };
  expect((await asAlice('/api/usage_link', { method: 'POST', body: past })).success).toBe(false);

  const token = await scene.stage.token(bob.user);
  const asBob = scene.stage.caller(await scene.stage.session(bob.user));
  const ofToken = await make(asBob, { token_id: token.id });
  await asBob(`/api/token/${token.id}`, { method: 'DELETE' });
  expect((await open(ofToken.link)).message).toBe(ENDED);
  const ofOwner = await make(asBob, { token_id: (await scene.stage.token(bob.user)).id });
  await scene.stage.set(bob.user, { status: userStatus.disabled });
  expect((await open(ofOwner.link)).message).toBe(ENDED);
  await scene.stage.set(bob.user, { status: userStatus.enabled });
  expect((await open(ofOwner.link)).success).toBe(true);
});

it('cannot be guessed, and is nowhere in the database', async () => {
  const { link } = await make(asAlice);
  expect(link).toMatch(/^[0-9A-Za-z]{43}$/);
  const { reader } = scene.server.parts.stores.database;
  const rows = await reader.selectFrom('usage_links').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(link);
  for (const wrong of ['', 'x', link.slice(0, -1), `${link.slice(0, -1)}!`, `${link}0`, 'A'.repeat(43)])
    expect(await open(wrong)).toMatchObject({ status: 200, message: ENDED });
});

it('is made and revoked by the owner and by admins above, who are in the logs; a token has at most ten', async () => {
  const own = await scene.stage.token(alice.user, 'many links');
  const body = { token_id: own.id, note: 'for the accountant' };
  const carol = await scene.stage.person('carol', role.admin);
  const asCarol = scene.stage.caller(await scene.stage.session(carol));
  const path = `/api/usage_link/user/${alice.user.id}`;
  const byAdmin = await asCarol(path, { method: 'POST', body });
  expect(byAdmin.data).toMatchObject({ note: 'for the accountant', by_admin: true, opened_time: null });
  expect((await asCarol(`/api/usage_link/user/${scene.root.id}`, { method: 'POST', body })).success).toBe(
    false,
  );
  for (let count = 1; count < 10; count++) await make(asAlice, { token_id: own.id });
  const eleventh = await asAlice('/api/usage_link', { method: 'POST', body });
  expect(eleventh).toMatchObject({ success: false, message: 'a token has at most 10 links' });
  const list = (await asAlice(`/api/usage_link?token_id=${own.id}`)).data as { id: number }[];
  expect(list).toHaveLength(10);
  expect(JSON.stringify(list)).not.toContain('"link"');
  const { id } = byAdmin.data as { id: number };
  expect((await asCarol(`${path}/${id}`, { method: 'DELETE' })).success).toBe(true);
  const rows = (await asAlice('/api/log/self?type=3&page_size=100')).text;
  expect(rows).toContain(`made link ${id} to the usage of token ${own.id}`);
  expect(rows).toContain(`revoked link ${id} to the usage of token ${own.id}`);
  expect(rows).not.toContain('carol');
});

it('can be opened only so often from one address', async () => {
  const { link } = await make(asAlice);
  const statuses = [];
  for (let count = 0; count < 31; count++) statuses.push((await open(link)).status);
  expect(statuses.at(-1)).toBe(429);
});
