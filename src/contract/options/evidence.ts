import { z } from 'zod';
import { integerOption, jsonOption, numberOption } from './option.ts';

/** A channel whose weight was lowered by rule: how much of it is left, and what was found for which model. */
export const lowered = z.object({
  percent: z.number().int().min(0).max(100),
  model: z.string().max(512),
  finding: z.enum(['other_model', 'more_tokens', 'wrong_answers', 'never_sent_cache']),
});

export type Lowered = z.infer<typeof lowered>;

/** What is made of what replies say of their upstream. */
export const evidenceOptions = {
  /** Nothing is found with fewer calls of a model. */
  'evidence_setting.least_calls': integerOption(50, 'daily', 10, 1_000_000),
  /** The share of replies that may name another model, in percent. */
  'evidence_setting.other_model_percent': integerOption(20, 'daily', 1, 100),
  /** How many tokens may be reported, compared with what other channels report for the same text, in percent. */
  'evidence_setting.token_percent': integerOption(150, 'daily', 110, 1000),
  /** The daily budget for sealed questions, in US dollars; 0 asks none. */
  'evidence_setting.sealed_usd_a_day': numberOption(0, 'house', 0, 1000),
  /** How much of its weight a channel keeps that more is found of, in percent; 100 keeps all. */
  'evidence_setting.weight_percent': integerOption(100, 'daily', 0, 100),
  /** By the id of a channel. Written by the rule. */
  'evidence_setting.lowered': jsonOption<Readonly<Record<string, Lowered>>>(
    {},
    'daily',
    z.record(z.string().regex(/^\d{1,15}$/), lowered),
  ),
};
