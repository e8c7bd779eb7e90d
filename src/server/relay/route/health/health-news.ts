import { z } from 'zod';
import { LONGEST_COOL_MS } from '#core/channel/health/health.ts';

/** What one relay has found out about a seat, for the others. Times are durations, because clocks differ. */
export type HealthNews = z.infer<typeof healthNewsShape>;

const NAME_MAX_LENGTH = 500;
const ROUNDS_MAX = 20;

const id = z.number().int().nonnegative();
const where = { channelId: id, keyId: id, model: z.string().max(NAME_MAX_LENGTH) };
const healthNewsShape = z.discriminatedUnion('found', [
  z.object({
    found: z.literal('cool'),
    ...where,
    coolMs: z.number().positive().max(LONGEST_COOL_MS),
    rounds: z
      .number()
      .int()
      .min(0)
      .transform((rounds) => Math.min(rounds, ROUNDS_MAX)),
    because: z.enum(['row', 'rate', 'broken', 'told']),
    /** For whose calls alone it cools; 0: for everybody's. */
    by: id.default(0),
  }),
  z.object({ found: z.literal('trial'), ...where }),
  /** `all`: with all models of a key, or all keys of a channel. */
  z.object({ found: z.literal('well'), ...where, all: z.boolean() }),
]);

/** Writes news as it is sent to other relays and nodes. */
export const writeHealthNews = (news: HealthNews): string => JSON.stringify(news);

/** Reads such news; undefined for any that this version does not know. */
export const readHealthNews = (body: string): HealthNews | undefined => {
  try {
    return healthNewsShape.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};
