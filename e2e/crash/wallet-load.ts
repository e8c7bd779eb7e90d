import { z } from 'zod';
import { type RunningPayments, startPayments } from '../../src/simulator/payment/start.ts';
import { type Operator, setOption } from '../support/operator.ts';

/** Credits that may be requested more than once: redemption codes and paid orders. */
export interface WalletSeen {
  /** Names of codes whose redemption was acknowledged; each code has its own name. */
  readonly redeemed: string[];
  /** Trade numbers of orders whose payment was acknowledged to the payment gateway, once for each acknowledgement. */
  readonly paid: string[];
}

export interface Wallets {
  readonly operator: Operator;
  /** Another user, who tries to redeem the same codes. */
  readonly rival: Operator;
  readonly payments: RunningPayments;
}

const MERCHANT = { id: '1000', key: 'crash-merchant-key' };
/** How many notices of one payment the payment gateway sends at once. It repeats them if the server does not answer. */
const NOTICES_AT_ONCE = 3;

export const startGateway = (): Promise<RunningPayments> => startPayments(MERCHANT.id, MERCHANT.key);

/** Enables payments for a server at this address. */
export const connectGateway = async (
  operator: Operator,
  payments: RunningPayments,
  siteUrl: string,
): Promise<void> => {
  await setOption(operator, 'PayAddress', payments.url);
  await setOption(operator, 'EpayId', MERCHANT.id);
  await setOption(operator, 'EpayKey', MERCHANT.key);
  await moveSite(operator, siteUrl);
};

/** Updates the address for payment notices: the server has another port after each start. */
export const moveSite = async (operator: Operator, siteUrl: string): Promise<void> => {
  await setOption(operator, 'ServerAddress', siteUrl);
};

/** Creates a code that two users redeem at once; one of them succeeds. */
export const newCode = async (
  { operator, rival }: Wallets,
  seen: WalletSeen,
  name: string,
): Promise<void> => {
  const body = { name, quota: 1000, count: 1 };
  const made = await operator.call('/api/redemption', { method: 'POST', body });
  const key = z.array(z.string()).parse(made)[0] ?? '';
  const redeem = ({ call }: Operator) => call('/api/user/topup', { method: 'POST', body: { key } });
  const outcomes = await Promise.allSettled([redeem(operator), redeem(rival)]);
  for (const { status } of outcomes) if (status === 'fulfilled') seen.redeemed.push(name);
};

const formOf = z.record(z.string(), z.string());

/** A paid order whose notice is sent several times at once. */
export const newTopUp = async ({ rival, payments }: Wallets, seen: WalletSeen): Promise<void> => {
  const body = { amount: 1, payment_method: 'alipay' };
  const fields = formOf.parse(await rival.call('/api/user/pay', { method: 'POST', body }));
  await payments.open(fields);
  const tradeNo = fields['out_trade_no'] ?? '';
  const answers = await payments.tell(tradeNo, {}, NOTICES_AT_ONCE);
  for (const answer of answers) if (answer === 'success') seen.paid.push(tradeNo);
};
