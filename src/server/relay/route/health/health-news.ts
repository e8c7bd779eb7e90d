import { z } from 'zod';
import { type Health, LONGEST_COOL_MS } from '#core/channel/health/health.ts';

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

/**
 * Whether our own answers disprove a cooldown elsewhere: a row of failures, and a high rate of failures if none failed
 * here. That answers began does not disprove broken ones or a wait that the upstream named.
 */
export const isDisprovedByAnswers = (
  { because }: Extract<HealthNews, { readonly found: 'cool' }>,
  own: Health | undefined,
): boolean => {
  const failsHereToo = own?.recent.some(({ failures }) => failures > 0) === true;
  return because === 'row' || (because === 'rate' && !failsHereToo);
};
