import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { noticeOf } from '../../../simulator/payment/notice.ts';
import { type RunningPayments, startPayments } from '../../../simulator/payment/start.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const MERCHANT = '1000';
const KEY = 'canary-merchant-key';

for (const engine of ['sqlite', 'postgres']) {
  describe(`paying online, on ${engine}`, () => {
    const folder = temporaryFolder();
    const log = keptLog();
    let server: RunningServer;
    let payments: RunningPayments;
    let stage: Stage;
    let admin: Caller;
    let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;

    beforeAll(async () => {
      payments = await startPayments(MERCHANT, KEY);
      const environment = testEnvironment(folder.path);
      postgres = engine === 'postgres' ? await startPostgres() : undefined;
      if (postgres !== undefined) environment['DATABASE_URL'] = postgres.url;
      server = await startServer(readConfig(environment), { log });
      stage = await setStage(server);
      admin = stage.caller(await stage.session(await stage.person('root', role.root)));
    });
    afterAll(async () => {
      await server.stop();
      await payments.stop();
      await postgres?.stop();
      folder.remove();
    });

    const set = async (options: Readonly<Record<string, string>>): Promise<void> => {
      for (const [key, value] of Object.entries(options)) {
        await server.parts.stores.options.set(
          key,
          key === 'EpayKey' ? server.parts.stores.vault.encrypt(value, `option:${key}`) : value,
          Date.now(),
        );
      }
      await server.parts.refreshRouting();
    };
    const configure = () =>
      set({ PayAddress: payments.url, EpayId: MERCHANT, EpayKey: KEY, ServerAddress: server.url });

    let people = 0;
    const somebody = async () => {
      const user = await stage.person(`payer${(people += 1)}`);
      const call = stage.caller(await stage.session(user));
      const quota = async () => ((await call('/api/user/self')).data as { quota: number }).quota;
      return { user, call, quota };
    };
    const post = (call: Caller, path: string, body: object, language = 'en') =>
      call(path, { method: 'POST', body, headers: { 'Accept-Language': language } });
    const order = async (call: Caller, amount = 2): Promise<Record<string, string>> => {
      const got = await post(call, '/api/user/pay', { amount, payment_method: 'alipay', top_up_code: '' });
      expect(got.message).toBe('success');
      const fields = got.data as Record<string, string>;
      expect(await payments.open(fields)).toBe(200);
      return fields;
    };
    const tradeOf = (fields: Record<string, string>) => fields['out_trade_no'] ?? '';
    const violated = () => brokenRules(server.parts.stores.database);

    it('is off while anything is missing, and says so as the specification words it', async () => {
      const { call } = await somebody();
      await set({ PayAddress: payments.url, EpayId: MERCHANT, ServerAddress: server.url });
      expect((await call('/api/user/topup/info')).data).toMatchObject({
        enable_online_topup: false,
        pay_methods: [],
      });
      const refused = await post(call, '/api/user/pay', { amount: 2, payment_method: 'alipay' }, 'zh');
      expect([refused.success, refused.message]).toEqual([false, '管理员未开启在线充值！']);
      await configure();
      expect((await call('/api/user/topup/info')).data).toMatchObject({
        enable_online_topup: true,
        min_topup: 1,
        pay_methods: [{ type: 'alipay' }, { type: 'wxpay' }],
      });
    });

    it('says so where it is on and no way to pay is set up; what was ordered before is still credited', async () => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      await set({ PayMethods: '[]' });
      expect((await call('/api/user/topup/info')).data).toMatchObject({
        enable_online_topup: true,
        pay_methods: [],
      });
      const refused = await post(call, '/api/user/pay', { amount: 2, payment_method: 'alipay' }, 'zh');
      expect([refused.success, refused.message]).toEqual([false, '支付方式配置错误, 请联系管理员']);
      expect(await payments.tell(tradeOf(fields))).toEqual(['success']);
      expect(await quota()).toBe(1_000_000);
      await set({
        PayMethods: JSON.stringify([
          { name: '支付宝', type: 'alipay' },
          { name: '微信', type: 'wxpay' },
        ]),
      });
    });

    it('states the price of an amount, and refuses less than the minimum', async () => {
      const { call } = await somebody();
      const amount = (value: number | string, language = 'en') =>
        post(call, '/api/user/amount', { amount: value, top_up_code: '' }, language);
      const two = await amount(2);
      expect([two.success, two.message, two.data]).toEqual([true, 'success', '14.60']);
      expect((await amount('10')).data).toBe('73.00');
      await set({ MinTopUp: '5' });
      expect((await amount(4, 'zh')).message).toBe('充值数量不能小于 5');
      expect((await amount(-1, 'zh')).message).toBe('充值数量不能小于 5');
      await set({ MinTopUp: '1' });
      expect((await amount(Number.MAX_SAFE_INTEGER)).message).toBe('the amount is too large');
      const method = await post(call, '/api/user/pay', { amount: 2, payment_method: 'cash' }, 'zh');
      expect(method.message).toBe('支付方式不存在');
    });

    it('credits the ordered amount once it is paid', async () => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      expect(fields).toMatchObject({ money: '14.60', pid: MERCHANT, type: 'alipay', sign_type: 'MD5' });
      expect(await quota()).toBe(0);
      expect(await payments.tell(tradeOf(fields))).toEqual(['success']);
      expect(await quota()).toBe(1_000_000);
      expect((await call('/api/user/topup/history')).data).toMatchObject({
        items: [{ kind: 'topup', quota: 1_000_000, balance: 1_000_000, reason: tradeOf(fields) }],
      });
      expect((await call('/api/log/self?type=1')).data).toMatchObject({ total: 1 });
      expect(await violated()).toEqual([]);
    });

    it.each([
      ['a wrong signature', { key: 'another key' }, ['was not believed', 'was not believed']],
      ['no signature', { sign: '' }, ['was not believed', 'was not believed']],
      ['a smaller amount', { money: '0.01' }, ['does not match', 'does not match']],
      ['a larger amount', { money: '1460.00' }, ['does not match', 'does not match']],
      ['another merchant', { merchantId: '1001' }, ['was not believed', 'was not believed']],
      ['an unpaid state', { status: 'WAIT_BUYER_PAY' }, []],
      ['an order that does not exist', { tradeNo: 'USR1NOnothing' }, ['does not match', 'does not match']],
      ['an order that a stranger makes up', { tradeNo: 'USR1NOnothing', sign: '' }, []],
    ])('credits nothing for %s, by GET or POST, and tells the operator', async (_, fault, told) => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      const before = log.lines.length;
      expect(await payments.tell(tradeOf(fields), fault)).toEqual(['fail']);
      expect(await payments.tell(tradeOf(fields), { ...fault, method: 'POST' })).toEqual(['fail']);
      expect(await quota()).toBe(0);
      const warned = log.lines.slice(before).filter((line) => line.includes('"level":"warn"'));
      expect(warned).toEqual(told.map((words) => expect.stringContaining(words)));
      expect(await payments.tell(tradeOf(fields), { method: 'POST' })).toEqual(['success']);
      expect(await quota()).toBe(1_000_000);
    });

    it('credits a notice without a stated length, and reads no more than a notice may have', async () => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      const told = new URLSearchParams({ ...noticeOf(fields, '20261', KEY, {}) }).toString();
      const tell = async (...pieces: readonly string[]) => {
        const answer = await fetch(`${server.url}/api/user/epay/notify`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: ReadableStream.from(pieces.map((piece) => Buffer.from(piece))),
          duplex: 'half',
        });
        return answer.text();
      };
      expect(await tell(told, '&padding='.repeat(2000))).toBe('fail');
      expect(await quota()).toBe(0);
      expect(await tell(told.slice(0, 50), told.slice(50))).toBe('success');
      expect(await quota()).toBe(1_000_000);
    });

    it("credits the order's owner, whoever's payment names it, and only for its price", async () => {
      const [rich, poor] = [await somebody(), await somebody()];
      const dear = await order(rich.call, 100);
      const cheap = await order(poor.call, 1);
      // The payment of a cheap order, told as if it were the dear one.
      expect(await payments.tell(tradeOf(cheap), { tradeNo: tradeOf(dear) })).toEqual(['fail']);
      expect([await rich.quota(), await poor.quota()]).toEqual([0, 0]);
      await payments.tell(tradeOf(dear));
      expect([await rich.quota(), await poor.quota()]).toEqual([50_000_000, 0]);
    });

    it('credits once for a hundred notices at once, and answers success each time', async () => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      const answers = await payments.tell(tradeOf(fields), {}, 100);
      expect(new Set(answers)).toEqual(new Set(['success']));
      expect(answers).toHaveLength(100);
      expect(await quota()).toBe(1_000_000);
      expect(await violated()).toEqual([]);
    });

    it('credits days later, once, at the price of the day it was ordered', async () => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      const { writer } = server.parts.stores.database;
      await writer
        .updateTable('top_up_orders')
        .set({ created_at: Date.now() - 5 * 86_400_000 })
        .where('trade_no', '=', tradeOf(fields))
        .execute();
      await set({ Price: '100' });
      expect(await payments.tell(tradeOf(fields))).toEqual(['success']);
      expect(await payments.tell(tradeOf(fields))).toEqual(['success']);
      expect(await quota()).toBe(1_000_000);
      await set({ Price: '7.3' });
    });

    it('credits nothing once it was switched off', async () => {
      const { call, quota } = await somebody();
      const fields = await order(call);
      await set({ EpayId: '' });
      expect(await payments.tell(tradeOf(fields))).toEqual(['fail']);
      await configure();
      expect(await payments.tell(tradeOf(fields))).toEqual(['success']);
      expect(await quota()).toBe(1_000_000);
    });

    it('counts in quota where the site shows quota', async () => {
      const { call, quota } = await somebody();
      await set({ DisplayInCurrencyEnabled: 'false' });
      expect((await post(call, '/api/user/amount', { amount: 499_999 })).message).toBe(
        'at least 500000 must be topped up',
      );
      const fields = await order(call, 750_000);
      expect(fields['money']).toBe('10.95');
      await payments.tell(tradeOf(fields));
      expect(await quota()).toBe(750_000);
      await set({ DisplayInCurrencyEnabled: 'true' });
    });

    it('limits the number of open orders', async () => {
      const { call } = await somebody();
      const pay = () => post(call, '/api/user/pay', { amount: 1, payment_method: 'alipay' });
      const answers = await Promise.all(Array.from({ length: 31 }, pay));
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
      expect(answers.filter(({ success }) => success)).toHaveLength(30);
    });

    it('never shows the key in an answer or a log', async () => {
      expect((await admin('/api/option/')).text).not.toContain(KEY);
      expect(log.lines.filter((line) => line.includes(KEY))).toEqual([]);
      expect(await violated()).toEqual([]);
    });
  });
}
