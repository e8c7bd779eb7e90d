import { z } from 'zod';
import { exactlyOneOf, issueKey } from '../text.ts';
import { timeZone } from '../time-zone.ts';

/** What a factor may apply to: text, pictures and sound alike; `call` is a price per call. */
export const priceParts = ['input', 'output', 'cacheRead', 'cacheWrite', 'call'] as const;

export type PricePart = (typeof priceParts)[number];

const factor = z.number().min(0).max(1000);
const shares = {
  input: factor.optional(),
  output: factor.optional(),
  cacheRead: factor.optional(),
  cacheWrite: factor.optional(),
  call: factor.optional(),
};
/** One factor for everything, or one for each part: the cache's follow the input's, any other missing one is 1. */
const factors = z.union([factor, z.strictObject(shares)]);

export const MOST_TOKENS = 100_000_000;
const tokens = z.number().int().min(0).max(MOST_TOKENS);
const step = z
  .strictObject({ above: tokens.optional(), from: tokens.optional(), ...shares })
  .superRefine(exactlyOneOf('above', 'from'))
  .meta({ description: 'exactly one of above and from' });

const context = z
  .strictObject({
    /** Which tokens of the prompt are counted. */
    counts: z.enum(['prompt', 'without_cache_reads', 'without_cache']).default('prompt'),
    /** Whether the whole call is at the step's price, or only the tokens beyond it. */
    charges: z.enum(['call', 'excess']).default('call'),
    steps: z.array(step).max(8),
  })
  .superRefine(({ charges, steps }, { addIssue }) => {
    for (const [at, each] of steps.entries()) {
      const before = steps[at - 1];
      if (before !== undefined && firstToken(each) <= firstToken(before))
        addIssue({ code: 'custom', path: ['steps', at], message: issueKey('issue_steps_rise') });
      for (const part of ['output', 'call'] as const)
        if (charges === 'excess' && each[part] !== undefined)
          addIssue({ code: 'custom', path: ['steps', at, part], message: issueKey('issue_no_excess') });
    }
  })
  .meta({
    description: 'each step begins after the one before; with excess, no step has output or call',
  });

/** The number of counted tokens from which a step applies. */
export const firstToken = ({
  above,
  from,
}: {
  above?: number | undefined;
  from?: number | undefined;
}): number => from ?? (above ?? 0) + 1;

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const hours = z.strictObject({
  zone: timeZone,
  /** On the clock of the zone; `to` is not included. Past midnight where `to` is earlier, the whole day where equal. */
  from: timeOfDay,
  to: timeOfDay,
  /** The days on which it begins; all where absent. */
  days: z.array(z.enum(weekdays)).min(1).max(7).optional(),
  factor: factors,
});

/** Lower case, as `termWord` makes it of what callers and upstreams write. */
const word = z.string().regex(/^[a-z][a-z0-9_.-]{0,39}$/);

const tier = z.union([
  factor,
  z.strictObject({
    ...shares,
    /** `step`: beyond a context step only that counts, since the maker serves long prompts at the standard tier. */
    longContext: z.enum(['both', 'step']).optional(),
  }),
]);

/** Ratios that have no option of their own. */
const ratios = z.strictObject({
  /** An hour in the cache, relative to five minutes. */
  oneHour: factor.optional(),
  imageInput: factor.optional(),
  imageOutput: factor.optional(),
  audioInput: factor.optional(),
  /** Relative to audio input. */
  audioOutput: factor.optional(),
});

/** As callers name sizes, lower case, with an x between two numbers; `other` is any that is not here. */
const size = z.string().regex(/^[a-z0-9][a-z0-9_.:x-]{0,39}$/);

/** What a price per call is multiplied by, from what is asked for. */
const media = z.strictObject({
  /** The price is that of one second; `usual` counts where a call does not say how many. */
  seconds: z.strictObject({ usual: z.number().positive().max(36_000) }).optional(),
  /** A word without a price costs as `other`, and where that is not here as the dearest. */
  resolutions: z
    .record(size, factor)
    .refine((table) => Object.keys(table).length > 0, issueKey('issue_empty'))
    .optional(),
});

/** Of one model. */
export const modelDimensions = z.strictObject({
  context: context.optional(),
  tiers: z.record(word, tier).optional(),
  speeds: z.record(word, factors).optional(),
  places: z.record(word, factors).optional(),
  hours: z.array(hours).max(16).optional(),
  media: media.optional(),
  ratios: ratios.optional(),
});

/** What a price depends on beside the number of tokens; over the price's ratios, by model. */
export const priceDimensions = z.record(z.string().min(1).max(255), modelDimensions);

export type PriceDimensions = z.infer<typeof modelDimensions>;
export type PriceShares = z.infer<typeof factors>;
export type TierPrice = z.infer<typeof tier>;
export type PriceHours = z.infer<typeof hours>;
export type ContextPrice = z.infer<typeof context>;
