import { createHash } from 'node:crypto';

/** What is wrong with a notice. All other values than `sign` and `key` are signed as given. */
export interface NoticeFault {
  readonly money?: string;
  readonly status?: string;
  readonly merchantId?: string;
  readonly tradeNo?: string;
  /** Signed with this instead of the merchant's key. */
  readonly key?: string;
  /** Sent instead of a signature. */
  readonly sign?: string;
  readonly method?: 'GET' | 'POST';
}

type Fields = Readonly<Record<string, string>>;

/** The gateway's signature, written from the protocol and not from the code under test. */
export const sign = (fields: Fields, key: string): string => {
  const names = Object.keys(fields)
    .filter((name) => !['sign', 'sign_type'].includes(name) && fields[name] !== '')
    .toSorted();
  const text = names.map((name) => `${name}=${fields[name] ?? ''}`).join('&');
  return createHash('md5')
    .update(text + key)
    .digest('hex');
};

/** The gateway's notice about an order. */
export const noticeOf = (order: Fields, gatewayNo: string, key: string, fault: NoticeFault): Fields => {
  const fields = {
    pid: fault.merchantId ?? order['pid'] ?? '',
    trade_no: gatewayNo,
    out_trade_no: fault.tradeNo ?? order['out_trade_no'] ?? '',
    type: order['type'] ?? '',
    name: order['name'] ?? '',
    money: fault.money ?? order['money'] ?? '',
    trade_status: fault.status ?? 'TRADE_SUCCESS',
    param: '',
  };
  return { ...fields, sign: fault.sign ?? sign(fields, fault.key ?? key), sign_type: 'MD5' };
};
