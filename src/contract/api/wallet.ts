import { z } from 'zod';
import { endpoint, readOnly } from '../endpoint.ts';
import { page, pageQuery } from '../paging.ts';
import { text, trimmed } from '../text.ts';

/** How the family says that it worked, beside `success`: older clients look at this word alone. */
const worked = z.object({ message: z.literal('success') });

export const redeem = endpoint({
  method: 'POST',
  path: '/api/user/topup',
  access: 'user',
  owner: 'self',
  summary: 'Redeem a code; answers the quota it added',
  body: z.strictObject({ key: trimmed(100).min(1, 'redeem_needed').prefault('') }),
  data: z.number(),
});

export const payMethod = z.object({ name: z.string(), type: z.string(), color: z.string() });

export const topUpInfo = endpoint({
  method: 'GET',
  path: '/api/user/topup/info',
  access: 'user',
  owner: 'none',
  summary: 'How this site tops up',
  data: z.object({
    enable_online_topup: z.boolean(),
    pay_methods: z.array(payMethod),
    /** In dollars, or in quota where the site shows quota. */
    min_topup: z.number(),
    topup_link: z.string(),
  }),
});

// Whatever is less than the least is told what the least is.
const amount = z.coerce.number().int().max(Number.MAX_SAFE_INTEGER);

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
  /** What it did to the balance: negative where it was taken, 0 where only invite earnings changed. */
  quota: z.number(),
  /** What it did to the invite earnings, which are no balance yet. */
  earned: z.number(),
  /** What was available right after it; null where an older version wrote it. */
  balance: z.number().nullable(),
  reason: z.string(),
  created_time: z.number(),
});

export const listOwnMovements = endpoint({
  method: 'GET',
  path: '/api/user/topup/history',
  access: 'user',
  owner: 'self',
  summary: 'What came in and went out beside calls, newest first, with the balance after each',
  query: z.object(pageQuery),
  data: page(movement),
});
