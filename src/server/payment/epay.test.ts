import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEpay, signEpay } from './epay.ts';

const account = {
  address: 'https://pay.example',
  merchantId: '1000',
  key: 'merchant key',
  notifyUrl: 'https://site.example/api/user/epay/notify',
  returnUrl: 'https://site.example/topup',
};
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const notice = (changes: Record<string, string> = {}, key = account.key) => {
  const fields = {
    pid: '1000',
    trade_no: 'G1',
    out_trade_no: 'USR1NOx',
    type: 'alipay',
    name: 'TUC1',
    money: '7.30',
    trade_status: 'TRADE_SUCCESS',
    ...changes,
  };
  return { ...fields, sign: signEpay(fields, key), sign_type: 'MD5' };
};

describe('the epay signature', () => {
  it('joins sorted fields without empty ones, sign and sign_type, then the key', () => {
    const fields = { pid: '1', money: '7.30', a: '', sign: 'x', sign_type: 'MD5' };
    expect(signEpay(fields, 'secret')).toBe(md5('money=7.30&pid=1secret'));
  });

  it('is under every form, with the money in two decimals', () => {
    const { url, fields } = createEpay(account).form({
      tradeNo: 'USR1NOx',
      method: 'wxpay',
      moneyCents: 5,
      title: 'TUC1',
    });
    expect(url).toBe('https://pay.example/submit.php');
    expect(fields).toMatchObject({ money: '0.05', type: 'wxpay', out_trade_no: 'USR1NOx', device: 'pc' });
    expect(fields['sign']).toBe(signEpay(fields, account.key));
  });
});

describe('a notice', () => {
  const { readNotice } = createEpay(account);

  it('is read when the gateway signed it, in small or capital letters', () => {
    const right = { tradeNo: 'USR1NOx', moneyCents: 730, isPaid: true };
    expect(readNotice(notice())).toEqual(right);
    expect(readNotice(notice({ money: '7.3' }))).toEqual(right);
    const told = notice();
    expect(readNotice({ ...told, sign: told.sign.toUpperCase() })).toEqual(right);
    expect(readNotice(notice({ trade_status: 'WAIT_BUYER_PAY' }))).toMatchObject({ isPaid: false });
  });

  it.each([
    ['signed with another key', notice({}, 'another key')],
    ['changed after it was signed', { ...notice(), money: '700.30' }],
    ['without a signature', { ...notice(), sign: '' }],
    ['with half a signature', { ...notice(), sign: notice().sign.slice(0, 16) }],
    ['for another merchant', notice({ pid: '1001' })],
    ['of an amount that does not read', notice({ money: '-7.30' })],
    ['of an amount finer than a hundredth', notice({ money: '7.305' })],
  ])('is not read %s', (_, told) => {
    expect(readNotice(told)).toBeUndefined();
  });

  it('is never read while there is no key, whoever signed it', () => {
    expect(createEpay({ ...account, key: '' }).readNotice(notice({}, ''))).toBeUndefined();
  });
});
