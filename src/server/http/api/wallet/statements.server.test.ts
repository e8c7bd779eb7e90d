import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { monthAfter, monthOf, monthSpan } from '#core/wallet/statement.ts';
import { callLog } from '../../../store/testing/accounts.ts';
import type { Caller } from '../../testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

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

it('refuses a month that is not over, precedes the account, or is invalid; and another user’s token', async () => {
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

it('shows users only their own, and admins only those of lower ranks', async () => {
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

it('is a PDF file that says the same, in the language asked for, and the same each time', async () => {
  const inChinese = { 'Accept-Language': 'zh-CN' };
  const headers = await scene.stage.session(alice.user);
  const asked = (more: object) =>
    fetch(`${scene.server.url}/api/statement/self/${MONTH}/pdf`, { headers: { ...headers, ...more } });
  const got = await asked({ 'Accept-Language': 'en' });
  expect(got.headers.get('content-type')).toBe('application/pdf');
  expect(got.headers.get('content-disposition')).toContain(`statement-${MONTH}.pdf`);
  const text = await got.text();
  const { sha256 } = (await asAlice(`/api/statement/self/${MONTH}`)).data as { sha256: string };
  expect(text.startsWith('%PDF-1.4\n')).toBe(true);
  for (const shown of [`(Statement ${MONTH})`, '(Account: alice \\(#', '(gpt-5)', '(700)', '(-740)', sha256])
    expect(text).toContain(shown);
  expect(await (await asked({ 'Accept-Language': 'en' })).text()).toBe(text);
  // The characters of "statement", as the file has them.
  expect(await (await asked(inChinese)).text()).toContain('<8d265355>');
  const asRoot = await scene.asRoot(`/api/statement/user/${idOf(alice)}/${MONTH}/pdf`);
  expect(asRoot.text.startsWith('%PDF-1.4')).toBe(true);
});

it('keeps the dollars of the day it was issued, whatever the site’s rate becomes', async () => {
  const paper = async () => (await asAlice(`/api/statement/self/${MONTH}/pdf`)).text;
  const [page, before] = [(await asAlice(`/api/statement/self/${MONTH}`)).data, await paper()];
  expect(page).toMatchObject({ statement: { units_per_dollar: 500_000 } });
  await scene.set('QuotaPerUnit', 1_000_000);
  expect((await asAlice(`/api/statement/self/${MONTH}`)).data).toEqual(page);
  expect(await paper()).toBe(before);
  const next = (await asAlice(`/api/statement/self/${monthAfter(MONTH)}`)).data;
  expect(next).toMatchObject({ statement: { units_per_dollar: 1_000_000 } });
  await scene.set('QuotaPerUnit', 500_000);
});

it('of a tag counts all tokens that had it when the month ended; a month so far adds up by token, tag and user', async () => {
  const make = async (name: string, tag: string) =>
    (await asAlice('/api/token', { method: 'POST', body: { name, tag } })).data as { id: number };
  const [one, two, none] = [await make('one', 'project'), await make('two', 'project'), await make('no', '')];
  const { ledger, database } = scene.server.parts.stores;
  // As if both had been tagged then.
  const fromHour = monthSpan(MONTH).fromMs / 3_600_000;
  await database.writer.updateTable('token_tags').set({ from_hour: fromHour }).execute();
  for (const [token, units, month] of [
    [one, 11, MONTH],
    [two, 22, MONTH],
    [none, 44, MONTH],
    [two, 5, THIS_MONTH],
  ] as const) {
    const id = `${token.id} ${month}`;
    const nowMs = monthSpan(month).fromMs;
    const userId = idOf(alice);
    await ledger.hold({ id, userId, tokenId: token.id, quotaUnits: 50, nowMs, expiresAtMs: nowMs + 9e9 });
    const log = callLog({ requestId: id, userId, tokenId: token.id, createdAtMs: nowMs, quotaUnits: units });
    await ledger.settle({ id, quotaUnits: units, nowMs, log, writeLog: true });
  }
  const got = (await asAlice(`/api/statement/self/${MONTH}?tag=project`)).data as { statement: object };
  expect(got.statement).toMatchObject({
    tag: 'project',
    charged_units: 33,
    opening_units: null,
    tokens: [
      { name: 'two', units: 22 },
      { name: 'one', units: 11 },
    ],
  });
  expect((await asAlice(`/api/statement/self?tag=project`)).text).toContain('"charged_units":33');
  const csv = (await asAlice(`/api/statement/self/${MONTH}/csv?tag=project`)).text;
  expect(csv).toContain('tag,project,');
  expect(csv).toContain('of_token,two,1,100,20,22\r\n');
  expect((await asAlice(`/api/statement/self/${MONTH}/pdf?tag=project`)).text).toContain(
    '(Tag: project, of account',
  );
  const byTag = await asAlice(`/api/statement/self/sums?month=${THIS_MONTH}&by=tag`);
  expect(byTag.data).toMatchObject({ lines: [{ name: 'project', token_id: 0, units: 5 }], total_units: 5 });
  const byUser = await scene.asRoot(`/api/statement/sums?month=${THIS_MONTH}`);
  expect(byUser.data).toMatchObject({ lines: [{ name: 'alice', units: 5 }], total_units: 5 });
  const byToken = await scene.asRoot(`/api/statement/user/${idOf(alice)}/sums?month=${THIS_MONTH}`);
  expect(byToken.data).toMatchObject({ lines: [{ token_id: two.id, name: 'two', units: 5 }] });

  const asBob = scene.stage.caller(await scene.stage.session(bob.user));
  expect(await asBob(`/api/statement/self/${MONTH}?tag=project`)).toMatchObject({
    success: false,
    data: null,
  });
  expect((await asBob(`/api/statement/self/sums?month=${MONTH}&by=tag`)).text).not.toContain('project');
  expect(await asAlice(`/api/statement/self/${MONTH}?tag=project&token_id=${one.id}`)).toMatchObject({
    success: false,
    message: 'a statement is of a token or of a tag, not of both',
  });
});
