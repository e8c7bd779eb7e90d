import { logType } from '#contract/codes.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { keptPhrase } from '#core/log/kept-phrase.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/vault.ts';
import type { TopUpOrderStore } from '#core/wallet/top-up-order.ts';
import { optionPlace } from './read-options.ts';
import type { Redemptions } from './redemptions.ts';

const DAY_MS = 86_400_000;
const DOLLAR = 500_000;

/** A payment gateway that charges nobody, and this site as it is reached. */
export interface DemoPayments {
  readonly gatewayUrl: string;
  readonly merchantId: string;
  readonly key: string;
  readonly siteUrl: string;
}

export interface DemoWalletDeps {
  readonly redemptions: Redemptions;
  readonly topUpOrders: TopUpOrderStore;
  readonly ledger: Pick<Ledger, 'claim'>;
  readonly options: OptionStore;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
}

const chats = [
  { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  {
    LobeChat:
      'https://lobechat.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
  },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
];

export interface DemoCustomers {
  readonly root: User;
  readonly user: User;
  readonly customers: readonly User[];
}

type Payment = readonly [daysAgo: number, dollars: number, method: string];

/** Codes in every state, a history of top-ups, chat programs, and a cashier to try. */
export const seedWallet = async (
  deps: DemoWalletDeps,
  people: DemoCustomers,
  payments: DemoPayments | undefined,
): Promise<void> => {
  const { options, clock } = deps;
  await options.set('Chats', JSON.stringify(chats), clock.now());
  if (payments !== undefined) await connect(deps, payments);
  await payOrders(deps, people.user, [
    [6, 10, 'alipay'],
    [2, 50, 'wxpay'],
  ]);
  await payOrders(deps, people.root, [[5, 100, 'alipay']]);
  for (const customer of people.customers) await payOrders(deps, customer, [[4, 20, 'wxpay']]);
  await makeCodes(deps, people);
};

const connect = async ({ options, vault, clock }: DemoWalletDeps, payments: DemoPayments): Promise<void> => {
  await options.set('PayAddress', payments.gatewayUrl, clock.now());
  await options.set('EpayId', payments.merchantId, clock.now());
  await options.set('EpayKey', vault.encrypt(payments.key, optionPlace('EpayKey')), clock.now());
  await options.set('ServerAddress', payments.siteUrl, clock.now());
};

const payOrders = async (
  { topUpOrders, ledger, clock, random }: DemoWalletDeps,
  user: User,
  payments: readonly Payment[],
): Promise<void> => {
  for (const [daysAgo, dollars, method] of payments) {
    const nowMs = clock.now() - daysAgo * DAY_MS;
    const tradeNo = `USR${user.id}NO${random.alphanumeric(12)}${Math.floor(nowMs / 1000)}`;
    const id = await topUpOrders.create({
      userId: user.id,
      tradeNo,
      provider: 'epay',
      method,
      quotaUnits: dollars * DOLLAR,
      moneyCents: dollars * 730,
      createdAtMs: nowMs,
    });
    if (id === 'taken') continue;
    const money = (dollars * 7.3).toFixed(2);
    const content = keptPhrase('log_topped_up', { order: tradeNo, money, method });
    const log = eventRow({
      createdAtMs: nowMs,
      type: logType.topUp,
      userId: user.id,
      username: user.username,
      content,
    });
    await ledger.claim({ kind: 'topup', id, userId: user.id, reason: tradeNo, nowMs, log });
  }
};

const makeCodes = async (
  { redemptions }: DemoWalletDeps,
  { root, user, customers }: DemoCustomers,
): Promise<void> => {
  const make = (name: string, dollars: number, count: number) =>
    redemptions.create(root, { name, quotaUnits: dollars * DOLLAR, expiresAtMs: null }, count);
  const [welcome = ''] = await make('欢迎礼 Welcome', 5, 3);
  await redemptions.redeem(user, welcome);
  const spring = await make('春节活动', 10, 8);
  for (const [at, customer] of customers.entries()) await redemptions.redeem(customer, spring[at] ?? '');
  await redemptions.redeem(root, spring.at(-1) ?? '');
  await make('Beta testers', 1, 5);
  const [closed = ''] = await make('Old campaign', 20, 1);
  const found = await redemptions.search(closed, { page: 1, pageSize: 1 });
  for (const { id } of found.items) await redemptions.setStatus(id, 2);
};
