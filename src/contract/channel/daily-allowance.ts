import { z } from 'zod';
import { issueKey } from '../text.ts';
import { timeZone } from '../time-zone.ts';
import { glob } from './channel-overrides.ts';

const ALLOWANCES_MAX = 20;
const MODELS_MAX = 200;
const NAME_MAX_LENGTH = 64;

const each = {
  /** What the day's use is counted under: another name begins anew. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_MAX_LENGTH)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u),
  /** The upstream's names of the models it is for; in a pattern, `*` stands for any characters. */
  models: z.array(glob).min(1).max(MODELS_MAX),
  /** Where its day begins and ends; UTC where none is named. */
  zone: timeZone.optional(),
  /** Whose it is: each key of the channel has its own, or all channels that have one of this name share it. */
  by: z.enum(['key', 'name']).optional(),
};

/** What an upstream gives away each day. */
const dailyAllowance = z.discriminatedUnion('of', [
  /** Of the prompt and of the answer. */
  z.strictObject({
    ...each,
    of: z.literal('tokens'),
    amount: z.number().int().min(1).max(1_000_000_000_000),
  }),
  z.strictObject({ ...each, of: z.literal('calls'), amount: z.number().int().min(1).max(1_000_000_000) }),
  /** US dollars of what calls would have cost. */
  z.strictObject({ ...each, of: z.literal('dollars'), amount: z.number().min(0.01).max(1_000_000) }),
]);

export type DailyAllowance = z.output<typeof dailyAllowance>;

/** A call counts to the first one that names its model. */
export const dailyAllowances = z
  .array(dailyAllowance)
  .max(ALLOWANCES_MAX)
  .superRefine((list, { addIssue }) => {
    const names = new Set<string>();
    for (const [at, { name }] of list.entries()) {
      if (names.has(name))
        addIssue({ code: 'custom', path: [at, 'name'], message: issueKey('issue_name_taken'), input: name });
      names.add(name);
    }
  });
