import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { logType } from '#contract/codes.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { User } from '#core/user/user.ts';
import { optionPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { TopUpOrderStore } from '#core/wallet/top-up-order.ts';
import type { Happening } from './demo-story.ts';
import type { Redemptions } from '../control/wallet/redemptions.ts';
import { DAY_MS } from '#core/time/spans.ts';

/** A payment gateway that charges nobody, and the address of this site. */
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

/** Adds links to chat programs, a test payment gateway, and codes. @returns the top-ups of the following week */
export const seedWallet = async (
  deps: DemoWalletDeps,
  people: DemoCustomers,
  payments: DemoPayments | undefined,
): Promise<readonly Happening[]> => {
  const { options, clock } = deps;
  await options.set('Chats', JSON.stringify(chats), clock.now());
  if (payments !== undefined) await connect(deps, payments);
  const { root, user, customers } = people;
  return [
    ...paid(deps, user, [
      [6, 10, 'alipay'],
      [2, 50, 'wxpay'],
    ]),
    ...paid(deps, root, [[5, 100, 'alipay']]),
    ...customers.flatMap((customer) => paid(deps, customer, [[4.2, 20, 'wxpay']])),
    ...(await makeCodes(deps, people)),
  ];
};

const connect = async ({ options, vault, clock }: DemoWalletDeps, payments: DemoPayments): Promise<void> => {
  await options.set('PayAddress', payments.gatewayUrl, clock.now());
  await options.set('EpayId', payments.merchantId, clock.now());
  await options.set('EpayKey', vault.encrypt(payments.key, optionPlace('EpayKey')), clock.now());
  await options.set('ServerAddress', payments.siteUrl, clock.now());
};

const paid = (deps: DemoWalletDeps, user: User, payments: readonly Payment[]): Happening[] =>
  payments.map(([daysAgo, dollars, method]) => ({
    agoMs: daysAgo * DAY_MS,
    happen: () => pay(deps, user, dollars, method),
  }));

const pay = async (
  { topUpOrders, ledger, clock, random }: DemoWalletDeps,
  user: User,
  dollars: number,
  method: string,
): Promise<void> => {
  const nowMs = clock.now();
  const tradeNo = `USR${user.id}NO${random.alphanumeric(12)}${Math.floor(nowMs / 1000)}`;
  const id = await topUpOrders.create({
    userId: user.id,
    tradeNo,
    provider: 'epay',
    method,
    quotaUnits: dollars * QUOTA_PER_UNIT,
    moneyCents: dollars * 730,
    createdAtMs: nowMs,
  });
  if (id === 'taken') return;
  const money = (dollars * 7.3).toFixed(2);
  const content = storedPhrase('log_topped_up', { order: tradeNo, money, method });
  const event = {
    createdAtMs: nowMs,
    type: logType.topUp,
    userId: user.id,
    username: user.username,
    content,
  };
  await ledger.claim({ kind: 'topup', id, userId: user.id, reason: tradeNo, nowMs, log: eventRow(event) });
};

/** Codes in every state. @returns their use */
const makeCodes = async (
  { redemptions }: DemoWalletDeps,
  { root, user, customers }: DemoCustomers,
): Promise<readonly Happening[]> => {
  const make = (name: string, dollars: number, count: number) =>
    redemptions.create(root, { name, quotaUnits: dollars * QUOTA_PER_UNIT, expiresAtMs: null }, count);
  const used = (daysAgo: number, by: User, code: string | undefined): Happening => ({
    agoMs: daysAgo * DAY_MS,
    happen: () => redemptions.redeem(by, code ?? ''),
  });
  const [welcome] = await make('欢迎礼 Welcome', 5, 3);
  const spring = await make('春节活动', 10, 8);
  await make('Beta testers', 1, 5);
  const [closed = ''] = await make('Old campaign', 20, 1);
  const found = await redemptions.search(closed, { page: 1, pageSize: 1 });
  for (const { id } of found.items) await redemptions.setStatus(root, id, 2);
  return [
    used(7.2, user, welcome),
    ...customers.map((customer, at) => used(5.5 - at, customer, spring[at])),
    used(1.3, root, spring.at(-1)),
  ];
};
