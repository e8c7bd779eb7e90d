import { z } from 'zod';
import { GROUP_NAME_MAX_LENGTH, MODEL_NAME_MAX_LENGTH } from '../limits.ts';

/** By what one of the open channels of a priority is chosen. */
export const choicePolicies = ['weight', 'cheapest', 'fastest', 'least_busy', 'session'] as const;

/** One of `choicePolicies`. */
export type ChoicePolicy = (typeof choicePolicies)[number];

/** By model, or its beginning with `*`. */
const byModel = z.record(z.string().min(1).max(MODEL_NAME_MAX_LENGTH), z.enum(choicePolicies));

/** What a group has for a model counts before what the model has. */
export const choiceRules = z.strictObject({
  models: byModel.optional(),
  groups: z.record(z.string().min(1).max(GROUP_NAME_MAX_LENGTH), byModel).optional(),
});

export type ChoiceRules = Readonly<z.output<typeof choiceRules>>;
