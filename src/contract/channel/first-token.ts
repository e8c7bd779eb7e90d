import { z } from 'zod';
import { issueKey } from '../text.ts';

const waitMs = z.number().int().min(50).max(600_000);

/** When a stream of a model goes to another channel because its first token does not come. */
export const firstTokenRule = z.strictObject({
  /** `auto`: from the times of the model's own streams. */
  deadline_ms: z.union([z.literal('auto'), waitMs]),
  /** Of `auto`: how often the time that 95 of 100 streams take. Default 2. */
  factor: z.number().min(1).max(10).optional(),
  /** Of `auto`: its bounds. Default 1000 and 60 000. */
  least_ms: waitMs.optional(),
  most_ms: waitMs.optional(),
  /** The first channel goes on while the second begins; whoever is first answers. */
  hedge: z.boolean().optional(),
});

/** New rules. */
export const newFirstTokenRule = firstTokenRule.superRefine(
  ({ least_ms: least = 0, most_ms: most = Infinity }, { addIssue }) => {
    if (least <= most) return;
    const params = { least: 'least_ms', bound: String(least) };
    addIssue({ code: 'custom', path: ['most_ms'], message: issueKey('issue_least_above_most'), params });
  },
);

export type FirstTokenRule = Readonly<z.output<typeof firstTokenRule>>;
