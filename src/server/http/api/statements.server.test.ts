import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { monthAfter, monthOf, monthSpan } from '#core/wallet/statement.ts';
import { callLog } from '../../store/testing/accounts.ts';
import type { Caller } from '../testing/caller.ts';
import { openScene, type Scene, type Spender } from '../testing/scene.ts';

/** Monthly statements over HTTP. */

const THIS_MONTH = monthOf(Date.now());
const MONTH = monthAfter(THIS_MONTH, -2);
let scene: Scene;
let alice: Spender;
let bob: Spender;
let asAlice: Caller;

beforeAll(async () => {
  scene = await openScene();
  alice = await scene.spender('alice', 1_000_000);
  bob = await scene.spender('bob', 1_000_000);
  asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  const { ledger } = scene.server.parts.stores;
  const { fromMs } = monthSpan(MONTH);
  for (const [userId, model, units] of [
    [alice.user.id, 'gpt-5', 700],
    [alice.user.id, '=HYPERLINK("http://evil")', 40],
    [bob.user.id, 'claude', 9],
  ] as const) {
    const id = `${userId}-${model}`;
    await ledger.hold({
      id,
      userId,
      tokenId: null,
      quotaUnits: 900,
      nowMs: fromMs,
      expiresAtMs: fromMs + 9e9,
    });
    const log = callLog({ requestId: id, userId, model, createdAtMs: fromMs, quotaUnits: units });
    await ledger.settle({ id, quotaUnits: units, nowMs: fromMs, log, writeLog: true });
  }
});
afterAll(() => scene.close());

const idOf = ({ user }: Spender): number => user.id;
const tokenOf = async ({ user }: Spender): Promise<number> => {
  const as = scene.stage.caller(await scene.stage.session(user));
  const { items } = (await as('/api/token/')).data as { items: { id: number }[] };
  return items[0]!.id;
};

it('lists finished months, and issues one that is asked for: the same for ever, with a hash of what it says', async () => {
  const before = await asAlice('/api/statement/self');
  const lineOf = (got: { data?: unknown }) =>
    (got.data as { month: string }[]).find(({ month }) => month === MONTH);
  expect(lineOf(before)).toEqual({
    month: MONTH,
    issued_at: null,
    sha256: '',
    charged_units: null,
    closing_units: null,
  });
  const got = await asAlice(`/api/statement/self/${MONTH}`);
  const { statement, sha256 } = got.data as { statement: { models: unknown }; sha256: string };
  expect(statement).toMatchObject({ month: MONTH, user_id: idOf(alice), name: 'alice', charged_units: 740 });
  expect(statement.models).toMatchObject([{ model: 'gpt-5', units: 700 }, { units: 40 }]);
  expect(createHash('sha256').update(JSON.stringify(statement)).digest('hex')).toBe(sha256);
  expect((await asAlice(`/api/statement/self/${MONTH}`)).data).toEqual(got.data);
  const after = await asAlice('/api/statement/self');
  expect(lineOf(after)).toMatchObject({ month: MONTH, sha256, charged_units: 740 });
});

it('refuses a month that is not over, has nothing before it, or is none; and a token of somebody else', async () => {
  expect(await asAlice(`/api/statement/self/${THIS_MONTH}`)).toMatchObject({ status: 200, success: false });
  expect(await asAlice('/api/statement/self/2020-01')).toMatchObject({ status: 200, success: false });
  for (const wrong of ['2026-13', '2026-00', '2026-1', 'x', '1999-01'])
    expect((await asAlice(`/api/statement/self/${wrong}`)).status).toBe(400);
  const bobs = await scene.asRoot(`/api/statement/user/${idOf(bob)}`);
  expect(bobs.success).toBe(true);
  for (const tokenId of [await tokenOf(bob), 999_999]) {
    for (const path of ['', `/${MONTH}`, `/${MONTH}/csv`]) {
      const foreign = await asAlice(`/api/statement/self${path}?token_id=${tokenId}`);
      expect(foreign).toMatchObject({ status: 200, success: false });
      expect(foreign.text).not.toMatch(/bob|claude/);
    }
    // Nor under the name of a user who does not have it.
    const crossed = await scene.asRoot(`/api/statement/user/${idOf(alice)}/${MONTH}?token_id=${tokenId}`);
    expect(crossed).toMatchObject({ status: 200, success: false });
  }
  const own = await asAlice(`/api/statement/self?token_id=${await tokenOf(alice)}`);
  expect(own.success).toBe(true);
});

it('shows a user nobody else, and an admin only users of a lower rank', async () => {
  expect((await asAlice(`/api/statement/user/${idOf(bob)}/${MONTH}`)).status).toBe(403);
  const admin = await scene.stage.person('an-admin', role.admin);
  const other = await scene.stage.person('other-admin', role.admin);
  const asAdmin = scene.stage.caller(await scene.stage.session(admin));
  const bobs = await asAdmin(`/api/statement/user/${idOf(bob)}/${MONTH}`);
  expect(bobs.data).toMatchObject({ statement: { name: 'bob', charged_units: 9 } });
  expect(bobs.text).not.toMatch(/cost|margin|channel/);
  for (const path of ['', `/${MONTH}`, `/${MONTH}/csv`])
    expect(await asAdmin(`/api/statement/user/${other.id}${path}`)).toMatchObject({ success: false });
});

it('is a CSV file in which no cell is a formula', async () => {
  const got = await asAlice(`/api/statement/self/${MONTH}/csv`);
  expect(got.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(got.text).toContain('charge,gpt-5,1,100,20,700\r\n');
  expect(got.text).toContain(`charge,"'=HYPERLINK(""http://evil"")",1,100,20,40\r\n`);
  const asAdmin = await scene.asRoot(`/api/statement/user/${idOf(alice)}/${MONTH}/csv`);
  expect(asAdmin.text).toBe(got.text);
});
