import { z } from 'zod';
import {
  baseOption,
  idOption,
  integerOption,
  jsonOption,
  numberOption,
  ratios,
  secretOption,
} from './option.ts';

/** A payment method: its label, its colour, and the gateway's code for it. */
const payMethod = z.looseObject({
  name: z.string().min(1).max(50),
  type: z.string().min(1).max(50),
  color: z.string().max(100).optional(),
});

/** Payments for quota. */
export const paymentOptions = {
  PayAddress: baseOption('trust'),
  EpayId: idOption(200),
  EpayKey: secretOption(),
  CustomCallbackAddress: baseOption('trust'),
  Price: numberOption(7.3, 'house', 0, 1_000_000),
  MinTopUp: integerOption(1, 'house', 1, 1_000_000_000),
  TopupGroupRatio: jsonOption<Record<string, number>>({ default: 1, vip: 1, svip: 1 }, 'house', ratios, {
    groupPlace: 'keys',
  }),
  PayMethods: jsonOption<z.infer<typeof payMethod>[]>(
    [
      { name: '支付宝', color: '#1677ff', type: 'alipay' },
      { name: '微信', color: '#07c160', type: 'wxpay' },
    ],
    'house',
    z.array(payMethod).max(50),
  ),
};
