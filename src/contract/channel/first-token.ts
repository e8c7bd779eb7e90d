import { z } from 'zod';

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

export type FirstTokenRule = Readonly<z.output<typeof firstTokenRule>>;
