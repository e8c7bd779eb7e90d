import { z } from 'zod';
import { endpoint, idParams } from '../../endpoint.ts';
import { lowered } from '../../options/evidence.ts';

/** What the replies of a channel say of its upstream's honesty. */

const DAYS = { least: 1, most: 90, usual: 30 } as const;

const span = {
  /** Days back, today included. */
  days: z.coerce.number().int().min(DAYS.least).max(DAYS.most).default(DAYS.usual),
};

const tokens = z.object({
  calls: z.number(),
  /** Told over counted: the median, and that of all other channels; null where too little is known. */
  median: z.number().nullable(),
  median_of_others: z.number().nullable(),
  tokens_over: z.number(),
});

const modelEvidence = z.object({
  model: z.string(),
  calls: z.number(),
  tokens: z.number(),
  named: z.number(),
  named_other: z.number(),
  other_names: z.array(z.object({ name: z.string(), calls: z.number() })),
  output: tokens,
  prompt: tokens,
  first_token_ms: z.object({ calls: z.number(), p50: z.number().nullable(), p95: z.number().nullable() }),
  cache: z.object({
    calls: z.number(),
    tokens: z.number(),
    impossible: z.number(),
    /** Reported for questions of the house whose beginning nobody had sent before. */
    never_sent: z.number(),
  }),
  /** Questions of the house with known answers. */
  sealed: z.object({
    asked: z.number(),
    wrong: z.number(),
    /** From 0 to 1; null where other channels of the model were asked too little. */
    wrong_of_others: z.number().nullable(),
  }),
  findings: z.array(z.enum([...lowered.shape.finding.options, 'impossible_cache', 'impossible_usage'])),
});

export const readEvidence = endpoint({
  method: 'GET',
  path: '/api/channel/:id/evidence',
  access: 'admin',
  owner: 'any',
  summary:
    'What a channel’s replies say of its upstream, by model: models named, tokens told against our own count and other ' +
    'channels, first tokens, cache reads',
  params: idParams,
  query: z.object(span),
  data: z.object({
    models: z.array(modelEvidence),
    /** Null while it has its whole weight. */
    lowered: lowered.nullable(),
  }),
});

export const exportEvidence = endpoint({
  method: 'GET',
  path: '/api/channel/:id/evidence/file',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary:
    'The charged calls of a channel as a CSV file, for a dispute with its upstream: models asked for and named, tokens ' +
    'told and counted, what was paid; then how it answered sealed questions, by day',
  params: idParams,
  query: z.object({ ...span, model: z.string().max(512).default('') }),
  download: true,
  data: z.string(),
});
