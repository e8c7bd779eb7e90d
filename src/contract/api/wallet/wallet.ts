import { z } from 'zod';
import { endpoint, readOnly } from '../../endpoint.ts';
import { page, pageQuery } from '../../paging.ts';
import { text, typedCode, wholeNumber } from '../../text.ts';

/** The family's sign of success, beside `success`: older clients read only this. */
const worked = z.object({ message: z.literal('success') });

export const redeem = endpoint({
  method: 'POST',
  path: '/api/user/topup',
  access: 'user',
  owner: 'self',
  summary: 'Redeem a code; answers the quota it added',
  body: z.strictObject({ key: typedCode(100).min(1, 'redeem_needed').prefault('') }),
  data: z.number(),
});

export const payMethod = z.object({ name: z.string(), type: z.string(), color: z.string() });

export const topUpInfo = endpoint({
  method: 'GET',
  path: '/api/user/topup/info',
  access: 'user',
  owner: 'none',
  summary: 'The ways to top up on this site',
  data: z.object({
    enable_online_topup: z.boolean(),
    pay_methods: z.array(payMethod),
    /** In dollars, or in quota where the site shows quota. */
    min_topup: z.number(),
    topup_link: z.string(),
  }),
});

// A smaller amount gets a message that names the minimum.
const amount = wholeNumber('issue_whole').pipe(z.number().max(Number.MAX_SAFE_INTEGER));

export const payableAmount = endpoint({
  method: 'POST',
  path: '/api/user/amount',
  access: 'user',
  owner: 'self',
  summary: 'What an amount costs, with two decimals; dollars, or quota where the site shows quota',
  body: z.strictObject({ amount, top_up_code: readOnly }),
  fields: worked,
  data: z.string(),
});

export const pay = endpoint({
  method: 'POST',
  path: '/api/user/pay',
  access: 'user',
  owner: 'self',
  summary: 'Make an order; the fields are posted to the address by the browser',
  body: z.strictObject({ amount, payment_method: text(50), top_up_code: readOnly }),
  fields: worked.extend({ url: z.string() }),
  data: z.record(z.string(), z.string()),
});

export const movement = z.object({
  id: z.number(),
  /** `redeem`, `topup`, `grant`, `invite`, `transfer`, `admin` or `correction`. */
  kind: z.string(),
  /** The change of the balance: negative if taken, 0 if only invite earnings changed. */
  quota: z.number(),
  /** The change of invite earnings, which are not balance yet. */
  earned: z.number(),
  /** The balance right after it; null in rows of an older version. */
  balance: z.number().nullable(),
  reason: z.string(),
  created_time: z.number(),
});

export const listOwnMovements = endpoint({
  method: 'GET',
  path: '/api/user/topup/history',
  access: 'user',
  owner: 'self',
  summary: 'Movements other than calls, newest first, with the balance after each',
  query: z.object(pageQuery),
  data: page(movement),
});
