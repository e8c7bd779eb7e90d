import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';

/** How many there are, and the first few of them. */
const few = <Item extends z.ZodType>(item: Item) => z.object({ total: z.number(), items: z.array(item) });

export const readAttention = endpoint({
  method: 'GET',
  path: '/api/data/attention',
  access: 'admin',
  owner: 'any',
  summary:
    'What needs a hand: channels switched off by themselves, keys revoked or out of money, channels that refuse calls of a ' +
    'model that others answer, offered models without a price, ' +
    'users out of quota, changes of prices that wait for your approval or were due and are not published; of each the first few',
  data: z.object({
    channels: few(
      z.object({
        id: z.number(),
        name: z.string(),
        /** Why it was switched off; empty where nobody knows. */
        reason: z.string(),
        /** Unix seconds; 0 where nobody knows. */
        disabled_time: z.number(),
      }),
    ),
    /** Of channels that are enabled: keys that were revoked, or wait for money. */
    keys: few(
      z.object({
        id: z.number(),
        channel_id: z.number(),
        channel: z.string(),
        /** What admins call it, or its end. */
        name: z.string(),
        status: z.enum(['revoked', 'spent']),
        /** Why, in the words of the upstream. */
        reason: z.string(),
        /** Unix seconds. */
        changed_time: z.number(),
      }),
    ),
    /** Models that a channel, or one of its keys, refuses as if each call were wrong, while other channels or keys answer. */
    refusing: few(
      z.object({
        channel_id: z.number(),
        channel: z.string(),
        /** The key with its name; 0 and empty where the channel has only one. */
        key_id: z.number(),
        key: z.string(),
        model: z.string(),
        /** What it answers. */
        reason: z.string(),
        /** Unix seconds. */
        since_time: z.number(),
      }),
    ),
    /** Names of models. */
    models: few(z.string()),
    /** Enabled accounts that have called and have less left than any call sets aside. Those who used most come first. */
    users: few(z.object({ id: z.number(), username: z.string(), quota: z.number() })),
    /**
     * Drafts of prices that were not published when they were due, that you may approve, or that you wrote and another admin
     * rejected; the states are those of drafts.
     */
    prices: few(
      z.object({
        id: z.number(),
        reason: z.string(),
        state: z.enum(['asked', 'late', 'rejected', 'conflict', 'barred', 'used']),
      }),
    ),
  }),
});
