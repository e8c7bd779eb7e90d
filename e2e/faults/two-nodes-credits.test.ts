import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasRedis } from '../../src/server/limits/testing/redis-server.ts';
import { signEpay } from '../../src/server/payment/epay.ts';
import { balanceOf, rootPassword, signIn } from '../support/operator.ts';
import { type Somebody, somebody, startTwoNodes, type TwoNodes } from '../support/two-nodes.ts';

/** Every way quota comes in, wanted by many at the same moment at both of two nodes. */

const DOLLAR_UNITS = 500_000;
const MERCHANT = { id: '1000', key: 'canary-merchant-key' };

describe.skipIf(!hasRedis)('two nodes on PostgreSQL and Redis (needs redis-server)', () => {
  let site: TwoNodes;
  beforeAll(async () => {
    site = await startTwoNodes();
    await site.set({
      QuotaForNewUser: 1_000_000,
      ServerAddress: site.url(0),
      PayAddress: 'https://pay.example',
      EpayId: MERCHANT.id,
      EpayKey: MERCHANT.key,
    });
  });
  afterAll(() => site.stop());

  /** How many of the calls succeeded; `call` gets a number, by which the node is chosen. */
  const succeeded = async (count: number, call: (at: number) => Promise<unknown>): Promise<number> => {
    const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, at) => call(at)));
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };

  it('a paid order is credited once, however often, wherever and in whatever order it is told of', async () => {
    const payer = await somebody(site, 'payer');
    const start = (await balanceOf(payer.here)).quota;
    const orders: { tradeNo: string; money: string }[] = [];
    for (let at = 0; at < 10; at += 1) {
      const body = { amount: 2, payment_method: 'alipay' };
      const made = await payer.at(at).call('/api/user/pay', { method: 'POST', body });
      const fields = z.object({ out_trade_no: z.string(), money: z.string() }).parse(made);
      orders.push({ tradeNo: fields.out_trade_no, money: fields.money });
    }
    const tell = async (at: number, tradeNo: string, changes: Record<string, string>): Promise<string> => {
      const fields = {
        pid: MERCHANT.id,
        trade_no: `G${tradeNo}`,
        out_trade_no: tradeNo,
        type: 'alipay',
        trade_status: 'TRADE_SUCCESS',
        ...changes,
      };
      const sign = signEpay(fields, MERCHANT.key);
      const query = new URLSearchParams({ ...fields, sign, sign_type: 'MD5' }).toString();
      return (await fetch(`${site.url(at)}/api/user/epay/notify?${query}`)).text();
    };
    const told = await Promise.all(
      orders
        .toReversed()
        .flatMap(({ tradeNo, money }) => [
          tell(0, tradeNo, { money: '0.01' }),
          tell(1, tradeNo, { money, trade_status: 'WAIT_BUYER_PAY' }),
          ...[0, 1, 0, 1, 1, 0].map((at) => tell(at, tradeNo, { money })),
          tell(1, tradeNo, { money: String(Number(money) * 100) }),
          tell(0, `${tradeNo}0`, { money }),
        ]),
    );
    expect(told.filter((answer) => answer === 'success')).toHaveLength(orders.length * 6);
    expect((await balanceOf(payer.here)).quota).toBe(start + orders.length * 2 * DOLLAR_UNITS);
    expect(await site.violated()).toEqual([]);
  });

  it('a code that is changed, disabled and deleted under load is redeemed at most once, at its value then', async () => {
    const people = await Promise.all(['ann', 'ben', 'cat', 'dan'].map((name) => somebody(site, name)));
    const start = await Promise.all(people.map(async (one) => (await balanceOf(one.here)).quota));
    const keys = z.array(z.string()).parse(
      await site.root.call('/api/redemption', {
        method: 'POST',
        body: { name: 'raced', quota: 1000, count: 20 },
      }),
    );
    const rows = await site.database.writer.selectFrom('redemptions').select('id').orderBy('id').execute();
    let redeemed = 0;
    for (const [at, key] of keys.entries()) {
      const id = rows[at]?.id;
      const change = (body: object) =>
        site.root.call('/api/redemption', { method: 'PUT', body: { id, ...body } }).catch(() => undefined);
      const others = [
        () => change({ quota: 3000 }),
        () => change({ status: 2 }),
        () => site.root.call(`/api/redemption/${String(id)}`, { method: 'DELETE' }),
        () => Promise.resolve(),
      ][at % 4];
      const [won] = await Promise.all([
        succeeded(people.length * 2, (n) =>
          (people[n % people.length] as Somebody).at(n < people.length ? 0 : 1).call('/api/user/topup', {
            method: 'POST',
            body: { key },
          }),
        ),
        others?.(),
      ]);
      expect(won).toBeLessThanOrEqual(1);
      redeemed += won;
    }
    const credits = await site.database.writer
      .selectFrom('journal')
      .select('delta')
      .where('kind', '=', 'redeem')
      .execute();
    expect(credits).toHaveLength(redeemed);
    const end = await Promise.all(people.map(async (one) => (await balanceOf(one.here)).quota));
    const gained = end.reduce((sum, quota, at) => sum + quota - (start[at] ?? 0), 0);
    expect(gained).toBe(credits.reduce((sum, { delta }) => sum + delta, 0));
    expect(await site.violated()).toEqual([]);
  });

  it('an invited person brings one reward, and earnings are turned into quota once', async () => {
    await site.set({ QuotaForInviter: DOLLAR_UNITS, QuotaForInvitee: 7000 });
    const host = await somebody(site, 'host');
    const start = (await balanceOf(host.here)).quota;
    const code = String(await host.here.call('/api/user/aff'));
    const register = async (at: number, username: string): Promise<boolean> => {
      const response = await fetch(`${site.url(at)}/api/user/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: rootPassword, aff_code: code }),
      });
      return ((await response.json()) as { success: boolean }).success;
    };
    const made = await Promise.all(
      ['guest1', 'guest2', 'guest3'].flatMap((name) => [0, 1, 1, 0].map((at) => register(at, name))),
    );
    expect(made.filter(Boolean)).toHaveLength(3);
    const guest = await signIn(site.url(1), 'guest1', rootPassword);
    expect((await balanceOf(guest)).quota).toBe(1_007_000);
    const transferred = await succeeded(20, (at) =>
      host.at(at).call('/api/user/aff_transfer', {
        method: 'POST',
        body: { quota: DOLLAR_UNITS },
      }),
    );
    expect(transferred).toBe(3);
    expect((await balanceOf(host.here)).quota).toBe(start + 3 * DOLLAR_UNITS);
    expect(await site.violated()).toEqual([]);
  });
});
