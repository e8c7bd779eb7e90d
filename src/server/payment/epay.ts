import { createHash, timingSafeEqual } from 'node:crypto';
import { centsText, readCents } from '#core/wallet/payable.ts';
import type { MerchantAccount, PaymentGateway } from '#core/wallet/payment-gateway.ts';

/*
 * The epay protocol of many payment gateways: a form posted by the payer's browser, and a signed notice from the
 * gateway. Field names and signature are the protocol's.
 */

type Fields = Readonly<Record<string, string>>;

/** MD5 over the sorted, non-empty fields and the key: a weak hash, but the protocol requires it. */
export const signEpay = (fields: Fields, key: string): string => {
  const signed = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return createHash('md5').update(`${signed}${key}`).digest('hex');
};

const isSigned = (fields: Fields, key: string): boolean => {
  const given = Buffer.from((fields['sign'] ?? '').toLowerCase());
  const right = Buffer.from(signEpay(fields, key));
  return given.length === right.length && timingSafeEqual(given, right);
};

/** The order that a notice is about, whoever signed it; empty if it names none. */
export const orderInNotice = (fields: Fields): string => fields['out_trade_no'] ?? '';

/** A merchant account at an epay gateway. */
export const createEpay = (account: MerchantAccount): PaymentGateway => ({
  form({ tradeNo, method, moneyCents, title }) {
    const fields = {
      pid: account.merchantId,
      type: method,
      out_trade_no: tradeNo,
      notify_url: account.notifyUrl,
      return_url: account.returnUrl,
      name: title,
      money: centsText(moneyCents),
      device: 'pc',
    };
    const sign = signEpay(fields, account.key);
    return { url: `${account.address}/submit.php`, fields: { ...fields, sign_type: 'MD5', sign } };
  },
  readNotice(fields) {
    // With an empty key anybody could sign.
    if (account.key === '' || !isSigned(fields, account.key)) return undefined;
    const moneyCents = readCents(fields['money'] ?? '');
    const tradeNo = orderInNotice(fields);
    if (fields['pid'] !== account.merchantId || moneyCents === undefined || tradeNo === '') return undefined;
    return { tradeNo, moneyCents, isPaid: fields['trade_status'] === 'TRADE_SUCCESS' };
  },
});
