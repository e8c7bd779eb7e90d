import { EPAY_NOTIFY_PATH } from '#contract/limits.ts';
import { logType } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { Log } from '#core/logging.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { amountUnits, centsText, isPossible, leastAmount, payableCents } from '#core/wallet/payable.ts';
import type { MerchantAccount, PaymentForm, PaymentGateway } from '#core/wallet/payment-gateway.ts';
import type { TopUpOrder, TopUpOrderStore } from '#core/wallet/top-up-order.ts';
import { refuse, sayError, countOrRefuse } from '../refuse.ts';

const RETURN_PATH = '/topup?paid=1';
const TRADE_NO_DICE = 12;

export interface TopUpDeps {
  readonly options: () => OptionValues;
  readonly topUpOrders: TopUpOrderStore;
  readonly users: Pick<UserStore, 'byId'>;
  readonly ledger: Pick<Ledger, 'claim'>;
  /** Limits orders, by user. */
  readonly orderLimit: RateLimiter;
  readonly gateway: (account: MerchantAccount) => PaymentGateway;
  /** The order that a notice is about, whoever signed it; empty if it names none. */
  readonly orderInNotice: (fields: Readonly<Record<string, string>>) => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Payments for quota. Refusals are thrown. */
export type TopUps = ReturnType<typeof createTopUps>;

/** Manages orders. Amounts are in the unit that the site shows, prices in cents. */
export const createTopUps = (deps: TopUpDeps) => {
  const { options, topUpOrders, clock, log } = deps;
  const gateway = (): PaymentGateway | undefined => {
    const account = merchantOf(options());
    return account === undefined ? undefined : deps.gateway(account);
  };
  const priced = (user: User, amount: number): { readonly units: number; readonly cents: number } => {
    const now = options();
    if (amount < leastAmount(now)) throw refuse('top_up_least', { least: leastAmount(now) });
    const units = amountUnits(now, amount);
    const cents = isPossible(units) ? Number(payableCents(now, user.group, units)) : Infinity;
    if (!Number.isSafeInteger(cents)) throw refuse('top_up_most');
    if (cents < 1) throw refuse('top_up_cheap');
    return { units, cents };
  };

  return {
    info: () => infoOf(options(), gateway() !== undefined),

    /** The price of an amount, with two decimals. */
    payable(user: User, amount: number): string {
      return centsText(priced(user, amount).cents);
    },

    /**
     * Creates an order.
     * @returns the form the payer's browser posts to the gateway
     */
    async order(user: User, amount: number, method: string): Promise<PaymentForm> {
      const open = gateway();
      if (open === undefined) throw refuse('top_up_off');
      if (options().PayMethods.length === 0) throw refuse('pay_methods_wrong');
      if (!options().PayMethods.some(({ type }) => type === method)) throw refuse('pay_method_unknown');
      const { units, cents } = priced(user, amount);
      await countOrRefuse(deps.orderLimit, String(user.id));
      const order = {
        userId: user.id,
        tradeNo: tradeNoOf(user.id, deps.random, clock),
        provider: 'epay',
        method,
        quotaUnits: units,
        moneyCents: cents,
        createdAtMs: clock.now(),
      } as const;
      if ((await topUpOrders.create(order)) === 'taken') throw sayError('unavailable', 'order_failed');
      return open.form({ ...order, title: `TUC${amount}` });
    },

    /**
     * Handles a notice from the gateway. Returns true once the order is credited, now or earlier: only then may the
     * gateway stop sending it. User and amount are taken from our order, not from the notice.
     */
    async notified(fields: Readonly<Record<string, string>>): Promise<boolean> {
      const notice = gateway()?.readNotice(fields);
      if (notice === undefined) return disbelieved(deps, fields);
      if (!notice.isPaid) return false;
      const order = await topUpOrders.byTradeNo(notice.tradeNo);
      if (order === undefined || order.moneyCents !== notice.moneyCents) {
        log.warn('a payment does not match its order', {
          tradeNo: notice.tradeNo,
          paidCents: notice.moneyCents,
          askedCents: order?.moneyCents,
        });
        return false;
      }
      return credit(deps, order);
    },
  };
};

/**
 * Somebody may have paid, and the settings have another key or merchant than the gateway. Only known orders are logged:
 * anybody can send a notice, but nobody can guess an order's number.
 */
const disbelieved = async (
  { topUpOrders, orderInNotice, log }: TopUpDeps,
  fields: Readonly<Record<string, string>>,
): Promise<false> => {
  const tradeNo = orderInNotice(fields);
  const order = tradeNo === '' ? undefined : await topUpOrders.byTradeNo(tradeNo);
  if (order?.status === 'pending')
    log.warn('a notice of a payment was not believed: merchant or key are not those of the settings', {
      tradeNo,
      askedCents: order.moneyCents,
    });
  return false;
};

/**
 * Credits an order, once.
 * @returns whether it is credited, by this call or an earlier one
 */
const credit = async ({ ledger, users, clock, log }: TopUpDeps, order: TopUpOrder): Promise<boolean> => {
  const { id, userId, tradeNo } = order;
  const nowMs = clock.now();
  const username = (await users.byId(userId))?.username ?? '';
  const content = storedPhrase('log_topped_up', {
    order: tradeNo,
    money: centsText(order.moneyCents),
    method: order.method,
  });
  const event = { createdAtMs: nowMs, type: logType.topUp, userId, username, content };
  const claim = { kind: 'topup', id, userId, reason: tradeNo, nowMs, log: eventRow(event) } as const;
  const { state } = await ledger.claim(claim);
  if (state === 'claimed' || state === 'taken') return true;
  log.error('a paid order was not credited', { tradeNo, state });
  return false;
};

/** Undefined while any setting is missing: a half-configured gateway is unusable. */
const merchantOf = (options: OptionValues): MerchantAccount | undefined => {
  const { PayAddress, EpayId, EpayKey, ServerAddress, CustomCallbackAddress } = options;
  const callback = CustomCallbackAddress || ServerAddress;
  if ([PayAddress, EpayId, EpayKey, callback].includes('')) return undefined;
  return {
    address: PayAddress,
    merchantId: EpayId,
    key: EpayKey,
    notifyUrl: callback + EPAY_NOTIFY_PATH,
    returnUrl: (ServerAddress || callback) + RETURN_PATH,
  };
};

const infoOf = (options: OptionValues, isOn: boolean) => ({
  isOn,
  methods: isOn ? options.PayMethods : [],
  least: leastAmount(options),
  link: options.TopUpLink,
});

/** `USR7NO3fK…1763735400`: the usual format of this family of gateways, with an unguessable random part. */
const tradeNoOf = (userId: number, random: Random, clock: Clock): string =>
  `USR${userId}NO${random.alphanumeric(TRADE_NO_DICE)}${Math.floor(clock.now() / 1000)}`;
