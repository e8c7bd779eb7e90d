import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { monthAfter, monthOf, monthSpan } from '#core/wallet/statement.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { listening } from './outbound/testing/local-server.ts';
import { type Commands, runCommand } from './cli.ts';
import type { Caller } from './http/testing/caller.ts';
import { openScene, type Scene, type Spender } from './http/testing/scene.ts';
import { temporaryFolder } from './http/testing/test-config.ts';
import { givenCall } from './store/testing/accounts.ts';
import { verifyStatement } from './verify-statement.ts';

/** From a call to its proof, over HTTP and the command line. */

const MONTH = monthAfter(monthOf(Date.now()), -2);
const SEALS = '/.well-known/tollgate-seals.json';
const folder = temporaryFolder();
let scene: Scene;
let alice: Spender;
let bob: Spender;
let asAlice: Caller;

const seal = async (): Promise<void> => {
  const got = await scene.asRoot('/api/seal', { method: 'POST' });
  expect(got.success).toBe(true);
};

beforeAll(async () => {
  scene = await openScene();
  alice = await scene.spender('alice', 1_000_000);
  bob = await scene.spender('bob', 1_000_000);
  asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  const { fromMs } = monthSpan(MONTH);
  for (const [name, { user }] of [
    ['a', alice],
    ['b', bob],
  ] as const)
    for (let day = 0; day < 3; day += 1) {
      const made = { userId: user.id, createdAtMs: fromMs + day * 86_400_000, quotaUnits: 40 + day };
      const other = JSON.stringify({
        price_version: 1,
        channel_name: 'hidden',
        admin_info: { key: 'hidden' },
      });
      await givenCall(scene.server.parts.stores.ledger, 40 + day, {
        requestId: `${name}${day}`,
        ...made,
        other,
      });
      await seal();
    }
});
afterAll(async () => {
  await scene.close();
  folder.remove();
});

/** How often a check has waited for seals that another node may have made. */
let waits = 0;
const verify = async (text: string, ...args: string[]) => {
  const file = join(folder.path, 'statement.jsonl');
  writeFileSync(file, text);
  const printed: string[] = [];
  const wait = async () => void (waits += 1);
  const commands = standIn<Commands>({ verify: (wish) => verifyStatement(wish, wait) });
  const code = await runCommand(['verify', file, ...args], commands, (line) => void printed.push(line));
  return { code, text: printed.join('') };
};

/** The same for several files. */
const verifyAll = async (texts: readonly string[]) => {
  const files = texts.map((text, at) => {
    const file = join(folder.path, `statement-${String(at)}.jsonl`);
    writeFileSync(file, text);
    return file;
  });
  const printed: string[] = [];
  const commands = standIn<Commands>({ verify: verifyStatement });
  const args = ['verify', ...files, '--roots', scene.server.url];
  const code = await runCommand(args, commands, (line) => void printed.push(line));
  return { code, text: printed.join('') };
};

const download = async (): Promise<string> => {
  const got = await asAlice(`/api/statement/self/${MONTH}/proofs`);
  expect(got.headers.get('content-type')).toBe('application/jsonl');
  expect(got.headers.get('x-total-rows')).toBe('3');
  return got.text;
};

it('a downloaded statement is proven by what the site publishes, by its address and by a saved file', async () => {
  const text = await download();
  expect(text).not.toMatch(/hidden|bob|channel/);
  const byAddress = await verify(text, '--roots', scene.server.url);
  expect(byAddress.text).toMatch(/Statement of alice .*\n {2}charged {3}123 units for 3 calls/);
  expect(byAddress.code).toBe(0);
  const roots = join(folder.path, 'roots.json');
  writeFileSync(roots, await (await fetch(`${scene.server.url}${SEALS}`)).text());
  expect((await verify(text, '--roots', roots)).code).toBe(0);
  // An editor of another system may have been at it.
  expect((await verify(`\uFEFF${text.replaceAll('\n', '\r\n')}`, '--roots', roots)).code).toBe(0);
  const changed = await verify(text.replace('"units":41', '"units":14'), '--roots', roots);
  expect([changed.code, changed.text]).toEqual([1, expect.stringMatching(/wrong .*seal 2 .*were changed/)]);
  expect((await verify(text.slice(0, -200), '--roots', roots)).code).toBe(1);
  expect((await verify(text, '--roots', roots, '--key', 'unknown')).text).toMatch(/key unknown is not among/);
});

it('a file of seals that was saved before the statement’s last seal, and a new key, is too old and not a reason to accuse', async () => {
  const text = await download();
  const all = JSON.parse(await (await fetch(`${scene.server.url}${SEALS}`)).text()) as {
    keys: unknown[];
    seals: unknown[];
  };
  const roots = join(folder.path, 'old-roots.json');
  const saveFirst = (count: number) =>
    writeFileSync(roots, JSON.stringify({ ...all, seals: all.seals.slice(0, count) }));
  saveFirst(2);
  const early = await verify(text, '--roots', roots);
  expect([early.code, early.text]).toEqual([2, expect.stringMatching(/unknown .*seal 3 [^]*UNKNOWN/)]);
  expect(early.text).not.toMatch(/wrong|WRONG/);
  const changed = await verify(text.replace('"units":41', '"units":14'), '--roots', roots);
  expect([changed.code, changed.text]).toEqual([1, expect.stringMatching(/WRONG/)]);
  saveFirst(3);
  expect((await verify(text, '--roots', roots)).code).toBe(0);
  // Before the key that signed it, too. A site has all its keys, so that there it is wrong.
  const byAnother = text.replace(/"key":"[^"]+"/, '"key":"a key made since"');
  expect((await verify(byAnother, '--roots', roots)).code).toBe(2);
  expect((await verify(byAnother, '--roots', scene.server.url)).code).toBe(1);
});

it('a site whose node does not show yet what another has sealed is asked again', async () => {
  const text = await download();
  const all = JSON.parse(await (await fetch(`${scene.server.url}${SEALS}`)).text()) as { seals: unknown[] };
  let asked = 0;
  const late = createServer((_, response) => {
    asked += 1;
    response.end(JSON.stringify(asked === 1 ? { ...all, seals: all.seals.slice(0, 2) } : all));
  });
  const roots = await listening(late);
  waits = 0;
  expect((await verify(text, '--roots', roots)).code).toBe(0);
  expect([asked, waits]).toEqual([2, 1]);
  late.close();
});

it('two months in any order are said to go on from each other', async () => {
  const first = await download();
  const next = (await asAlice(`/api/statement/self/${monthAfter(MONTH)}/proofs`)).text;
  const both = await verifyAll([next, first]);
  expect(both.text).toMatch(/IN ORDER {2}each statement begins where the one before ended/);
  expect(both.code).toBe(0);
  const alone = await verifyAll([next]);
  expect([alone.code, alone.text]).toEqual([0, expect.stringMatching(/where that statement is given too/)]);
  const forged = first.replace(/\\"closing_units\\":(-?\d+)/, '\\"closing_units\\":7');
  expect(forged).not.toBe(first);
  const wrong = await verifyAll([forged, next]);
  expect([wrong.code, wrong.text]).toEqual([
    1,
    expect.stringMatching(/the balance is 7 units at the end of/),
  ]);
});

it('what cannot be read is said, and is no proof: no file, no seals, a line without end', async () => {
  const text = await download();
  const none = await verify(text, '--roots', join(folder.path, 'none.json'));
  expect([none.code, none.text]).toEqual([2, expect.stringMatching(/cannot be read/)]);
  const away = await verify(text, '--roots', 'http://127.0.0.1:2/');
  expect([away.code, away.text]).toEqual([2, expect.stringMatching(/cannot be read: connect ECONNREFUSED/)]);
  expect((await verify(text, '--roots', `${scene.server.url}/api/status`)).text).toMatch(
    /does not have the seals of a Tollgate/,
  );
  const endless = await verify('x'.repeat(17 * 1024 * 1024), '--roots', scene.server.url);
  expect([endless.code, endless.text]).toEqual([2, expect.stringMatching(/too long/)]);
  expect((await verify('', '--roots', scene.server.url)).code).toBe(1);
});

it('publishes no more than numbers, days, roots, keys and signatures, to anybody', async () => {
  const got = await fetch(`${scene.server.url}${SEALS}`);
  expect(got.headers.get('access-control-allow-origin')).toBe('*');
  const { keys, seals, next_page } = (await got.json()) as {
    keys: { line: string }[];
    seals: { line: string }[];
    next_page: number | null;
  };
  expect([keys.length, seals.length, next_page]).toEqual([1, 6, null]);
  expect(Object.keys(JSON.parse(seals[5]!.line) as object)).toEqual(
    'tollgate version number day made_at root previous key'.split(' '),
  );
  const page = (query: string, method = 'GET') => fetch(`${scene.server.url}${SEALS}${query}`, { method });
  expect(((await (await page('?page=7')).json()) as { seals: unknown[] }).seals).toEqual([]);
  for (const wrong of ['?page=-1', '?page=x', '?page=99999999']) expect((await page(wrong)).status).toBe(400);
  expect((await page('', 'POST')).status).toBe(405);
  expect(await (await page('', 'HEAD')).text()).toBe('');
});

it('gives everybody the receipts of their own calls, and admins those of all', async () => {
  const own = await asAlice('/api/log/self/receipt?request_id=a1');
  expect(own.data).toMatchObject({ missing: null, proof: { of_receipt: { index: 0, count: 1 }, page: 0 } });
  expect(own.text).not.toContain('hidden');
  for (const foreign of ['b1', 'none'])
    expect(await asAlice(`/api/log/self/receipt?request_id=${foreign}`)).toMatchObject({
      status: 200,
      success: false,
    });
  expect((await asAlice('/api/log/self/receipt')).status).toBe(400);
  const admin = scene.stage.caller(
    await scene.stage.session(await scene.stage.person('an-admin', role.admin)),
  );
  const shown = await admin('/api/log/receipt?request_id=b1');
  expect(shown.text).toContain('price_version');
  expect(shown.text).not.toContain('hidden');
  const bobs = await admin(`/api/statement/user/${bob.user.id}/${MONTH}/proofs`);
  expect((await verify(bobs.text, '--roots', scene.server.url)).text).toMatch(/Statement of bob[^]*PROVEN/);
});

it('says its state to admins; a new key signs from the next seal on, and keys outlive a restart', async () => {
  const before = (await scene.asRoot('/api/seal')).data as { next_at: number };
  expect(before).toMatchObject({ last: { number: 6 }, is_running: false, keys: [{ first_seal: 1 }] });
  expect(before).toMatchObject({ is_due: false, unsealed_rows: 0 });
  // A quarter of an hour after the day.
  expect(before.next_at % 86_400).toBe(900);
  expect(before.next_at * 1000).toBeGreaterThan(Date.now());
  expect((await scene.asRoot('/api/seal/key', { method: 'POST' })).success).toBe(true);
  await scene.restart();
  // Nothing was written since: there is no seal of nothing.
  await seal();
  expect((await scene.asRoot('/api/seal')).data).toMatchObject({ last: { number: 6 } });
  const now = { userId: bob.user.id, createdAtMs: Date.now(), quotaUnits: 3 };
  await givenCall(scene.server.parts.stores.ledger, 3, { requestId: 'b9', ...now });
  await seal();
  expect((await scene.asRoot('/api/seal')).data).toMatchObject({
    last: { number: 7 },
    keys: [{ first_seal: 1 }, { first_seal: 7 }],
  });
  asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  expect((await verify(await download(), '--roots', scene.server.url)).code).toBe(0);
});

it('rows are sealed before they are cleared: their sums stay proven', async () => {
  const { fromMs } = monthSpan(MONTH);
  const made = { userId: alice.user.id, createdAtMs: fromMs + 9 * 86_400_000, quotaUnits: 5 };
  await givenCall(scene.server.parts.stores.ledger, 5, { requestId: 'a9', ...made });
  const before = Math.ceil(monthSpan(MONTH).toMs / 1000);
  const cleared = await scene.asRoot(`/api/log?target_timestamp=${before}`, { method: 'DELETE' });
  expect(cleared.success).toBe(true);
  await expect
    .poll(async () => ((await scene.asRoot('/api/log/clearing')).data as { is_running: boolean }).is_running)
    .toBe(false);
  const { text } = await asAlice(`/api/statement/self/${MONTH}/proofs`);
  const got = await verify(text, '--roots', scene.server.url);
  expect([got.code, got.text]).toEqual([3, expect.stringMatching(/of 4 calls the rows were deleted/)]);
});

it('refuses a site whose pages go round in a circle', async () => {
  const page = { tollgate: 'seals', version: 1, keys: [], seals: [], next_page: 1 };
  const circle = createServer((_, response) => response.end(JSON.stringify(page)));
  await listening(circle);
  const { port } = circle.address() as AddressInfo;
  const wish = { file: join(folder.path, 'none.jsonl'), roots: `http://127.0.0.1:${port}/` };
  await expect(verifyStatement(wish)).rejects.toThrow('page 1 follows page 1');
  await new Promise((resolve) => circle.close(resolve));
});
