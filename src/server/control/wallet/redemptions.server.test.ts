import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
const log = keptLog();
let server: RunningServer;
let stage: Stage;
let root: User;
let admin: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  admin = stage.caller(await stage.session(root));
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

interface Code {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly status: number;
}

const create = (body: object) =>
  admin('/api/redemption/', { method: 'POST', body: { name: 'gift', quota: 500, ...body } });
const search = async (keyword: string) =>
  (
    (await admin(`/api/redemption/search?keyword=${encodeURIComponent(keyword)}&p=1`)).data as {
      items: Code[];
    }
  ).items;
const made = async (body: object = {}): Promise<Code> => {
  const [key = ''] = (await create(body)).data as string[];
  const [code] = await search(key);
  if (code === undefined) throw new Error('the code was not found');
  return code;
};
const update = (body: object, query = '') => admin(`/api/redemption/${query}`, { method: 'PUT', body });
const redeem = (call: Caller, key: string, language = 'en'): Promise<Got> =>
  call('/api/user/topup', { method: 'POST', body: { key }, headers: { 'Accept-Language': language } });
const somebody = async (name: string) => {
  const user = await stage.person(name);
  const call = stage.caller(await stage.session(user));
  const quota = async () => ((await call('/api/user/self')).data as { quota: number }).quota;
  return { user, call, quota };
};

describe('making codes', () => {
  it('answers every code made, each different, with the defaults of the specification', async () => {
    const many = await create({ name: 'batch', count: 100 });
    const keys = many.data as string[];
    expect(keys).toHaveLength(100);
    expect(new Set(keys).size).toBe(100);
    expect(keys.every((key) => /^[0-9A-Za-z]{32}$/.test(key))).toBe(true);
    const one = await admin('/api/redemption', { method: 'POST', body: { name: 'plain' } });
    const [code] = await search((one.data as string[])[0] ?? '');
    expect(code).toMatchObject({ name: 'plain', quota: 100_000, status: 1, used_user_id: 0, count: 0 });
    expect(code).toMatchObject({ expired_time: 0, redeemed_time: 0, user_id: root.id });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(21) }, 'name'],
    [{ quota: 0 }, 'quota'],
    [{ quota: 1.5 }, 'quota'],
    [{ count: 0 }, 'count'],
    [{ count: 101 }, 'count'],
  ])('is refused: %j', async (body, field) => {
    const got = await create(body);
    expect([got.status, got.success]).toEqual([400, false]);
    expect(got.message).toContain(field);
  });

  it('takes a name of 20 characters in any script, and no expiry that has passed', async () => {
    expect((await create({ name: '二十个字的兑换码名称二十个字的兑换码名' })).success).toBe(true);
    const got = await create({ expired_time: 1_700_000_000 });
    expect([got.status, got.success, got.message]).toEqual([200, false, 'the expiry must be later than now']);
  });
});

describe('the list', () => {
  it('pages from the newest, p 0 and 1 alike', async () => {
    const zero = await admin('/api/redemption/?p=0&page_size=2');
    const one = await admin('/api/redemption?p=1&page_size=2');
    expect(zero.data).toEqual(one.data);
    expect(zero.data).toMatchObject({ page: 1, page_size: 2 });
    const ids = (zero.data as { items: Code[] }).items.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((left, right) => right - left));
  });

  it('is searched by part of the name, id, and the whole code', async () => {
    const code = await made({ name: 'needle 100%' });
    for (const keyword of ['edle', '100%', String(code.id), code.key])
      expect((await search(keyword)).map(({ id }) => id)).toContain(code.id);
    expect(await search('100_')).toEqual([]);
    expect((await admin(`/api/redemption/${code.id}`)).data).toMatchObject({ key: code.key });
    expect((await admin('/api/redemption/999999')).message).toBe('redemption code not found');
  });
});

describe('changing a code', () => {
  it('sets name, quota, expiry and status; status_only nothing but the status', async () => {
    const code = await made();
    const body = { id: code.id, name: 'renamed', quota: 700, expired_time: 4_000_000_000, status: 2 };
    expect((await update(body)).data).toMatchObject({
      name: 'renamed',
      quota: 700,
      expired_time: 4_000_000_000,
      status: 2,
    });
    expect((await update({ id: code.id, status: 1 })).data).toMatchObject({ status: 1, name: 'renamed' });
    const off = await update({ id: code.id, status: 2, name: 'other', quota: 1 }, '?status_only=true');
    expect(off.data).toMatchObject({ status: 2, name: 'renamed', quota: 700 });
    expect((await update({ id: code.id, status: 1 }, '?status_only=true')).data).toMatchObject({ status: 1 });
    await update({ id: code.id, name: 'renamed', quota: 700 });
    await admin(`/api/redemption/${code.id}`, { method: 'DELETE' });
    const { items } = (await admin('/api/log?type=3&p=1&page_size=6')).data as {
      items: { content: string }[];
    };
    expect(items.map(({ content }) => content)).toEqual([
      `deleted redemption code ${code.id} (renamed)`,
      `enabled redemption code ${code.id} (renamed)`,
      `disabled redemption code ${code.id} (renamed)`,
      `enabled redemption code ${code.id} (renamed)`,
      `disabled redemption code ${code.id} (renamed)`,
      `changed redemption code ${code.id} (gift): name: gift → renamed, quota: 500 → 700, expires: never → 2096-10-02T07:06:40.000Z`,
    ]);
  });

  it('is refused once it was redeemed, as is switching it on; deleting it is not', async () => {
    const code = await made();
    await redeem((await somebody('changer')).call, code.key);
    const used = 'a redeemed code can be neither changed nor switched on';
    expect((await update({ id: code.id, quota: 1 })).message).toBe(used);
    expect((await update({ id: code.id, status: 1 }, '?status_only=true')).message).toBe(used);
    expect((await update({ id: code.id, status: 3 }, '?status_only=true')).message).toBe(used);
    expect((await admin(`/api/redemption/${code.id}/`, { method: 'DELETE' })).success).toBe(true);
    expect((await admin(`/api/redemption/${code.id}`)).success).toBe(false);
  });

  it('is possible after its time: what was read is sent back with another name, or a later time is set', async () => {
    const code = await made();
    const { redemptions } = server.parts.stores;
    const read = await redemptions.byId(code.id);
    if (read !== undefined) await redemptions.update(code.id, { expiresAtMs: 1_700_000_000_000 }, read);
    const past = (await admin(`/api/redemption/${code.id}`)).data as Code & { expired_time: number };
    expect(past.expired_time).toBe(1_700_000_000);
    expect((await update({ ...past, name: 'late' })).data).toEqual({ ...past, name: 'late' });
    const earlier = await update({ ...past, expired_time: past.expired_time - 1 });
    expect(earlier.message).toBe('the expiry must be later than now');
    expect((await update({ id: code.id, expired_time: 0 })).data).toMatchObject({ expired_time: 0 });
  });

  it('a code that was not redeemed is never shown as used', async () => {
    const code = await made();
    const byHand = 'a code becomes used by being redeemed, not by hand';
    expect((await update({ id: code.id, status: 3 }, '?status_only=true')).message).toBe(byHand);
    const missing = await update({ id: 999_999, status: 3 }, '?status_only=true');
    expect(missing.message).toBe('redemption code not found');
    expect((await admin(`/api/redemption/${code.id}`)).data).toMatchObject({ status: 1 });
  });

  it('of a code that is switched off says so, and not that it was redeemed', async () => {
    const code = await made();
    await update({ id: code.id, status: 2 }, '?status_only=true');
    const off = 'this code is switched off: switch it on to change it';
    expect((await update({ id: code.id, name: 'renamed' })).message).toBe(off);
    await update({ id: code.id, status: 1 }, '?status_only=true');
    expect((await update({ id: code.id, name: 'renamed' })).data).toMatchObject({ name: 'renamed' });
  });

  it('clears only codes that cannot be redeemed any more', async () => {
    const [good, off] = [await made(), await made()];
    await update({ id: off.id, status: 2 }, '?status_only=true');
    const invalid = (await admin('/api/redemption?invalid=true&page_size=100')).data as {
      items: Code[];
      total: number;
    };
    expect(invalid.items.map(({ id }) => id)).toContain(off.id);
    expect(invalid.items.map(({ id }) => id)).not.toContain(good.id);
    expect((await admin('/api/redemption/invalid', { method: 'DELETE' })).data).toBe(invalid.total);
    expect((await admin(`/api/redemption/${good.id}`)).success).toBe(true);
    expect((await admin(`/api/redemption/${off.id}`)).success).toBe(false);
  });
});

describe('redeeming', () => {
  it('answers the quota added, in the log and the history too, and works once', async () => {
    const { user, call, quota } = await somebody('redeemer');
    const code = await made({ quota: 1234 });
    // A line break of the print, and what a chat puts between letters that nobody sees.
    const copied = ` ${code.key.slice(0, 16)}\n\u200b${code.key.slice(16)} `;
    expect((await search(copied)).map(({ id }) => id)).toEqual([code.id]);
    expect((await redeem(call, copied)).data).toBe(1234);
    expect(await quota()).toBe(1234);
    const again = await redeem(call, code.key);
    expect([again.status, again.success, again.message]).toEqual([
      200,
      false,
      'invalid or used redemption code',
    ]);
    expect((await admin(`/api/redemption/${code.id}`)).data).toMatchObject({
      status: 3,
      used_user_id: user.id,
      used_username: 'redeemer',
    });
    expect((await call('/api/log/self?type=1')).data).toMatchObject({ items: [{ quota: 1234, type: 1 }] });
    expect((await call('/api/user/topup/history')).data).toMatchObject({
      items: [{ kind: 'redeem', quota: 1234, balance: 1234, reason: 'gift' }],
      total: 1,
    });
  });

  it('gives its errors in Chinese', async () => {
    const { call } = await somebody('chinese');
    expect((await redeem(call, '', 'zh')).message).toBe('请输入兑换码！');
    const zh = { 'Accept-Language': 'zh' };
    const none = await call('/api/user/topup', { method: 'POST', body: {}, headers: zh });
    expect(none.message).toBe('请输入兑换码！');
    expect((await redeem(call, 'nope', 'zh')).message).toBe('兑换失败，兑换码无效或已被使用');
  });

  it('gives a code to one of many who try at once, and the audit is clean', async () => {
    const code = await made({ quota: 7 });
    const people = await Promise.all(Array.from({ length: 20 }, (_, at) => somebody(`racer${at}`)));
    const answers = await Promise.all(people.map(({ call }) => redeem(call, code.key)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(await brokenRules(server.parts.stores.database)).toEqual([]);
  });

  it('counts guesses by user: the eleventh wrong one waits, a right one is not counted', async () => {
    const { call } = await somebody('guesser');
    for (let at = 0; at < 9; at += 1) await redeem(call, `guess ${at}`);
    expect((await redeem(call, (await made()).key)).success).toBe(true);
    const statuses = [];
    for (let at = 0; at < 11; at += 1) statuses.push((await redeem(call, `guess ${at}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect((await redeem((await somebody('honest')).call, 'typo')).status).toBe(200);
  });

  it('never logs a code', () => {
    expect(log.lines.filter((line) => /[0-9A-Za-z]{32}/.test(line))).toEqual([]);
  });
});
