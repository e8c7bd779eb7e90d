import { z } from 'zod';
import { choicePolicies } from '../../channel/choice.ts';
import { bodyId, endpoint } from '../../endpoint.ts';
import { GROUP_NAME_MAX_LENGTH, MODEL_NAME_MAX_LENGTH } from '../../limits.ts';
import { EXPLAINED_TOKENS, sampleDialects, sampleOperations } from '../../sample-calls.ts';
import { entriesAtMost, exactlyOneOf, text } from '../../text.ts';
import { draft } from './channels.ts';

/**
 * What would become of a call: the request that would go out to a channel, and which channels it might get. Nothing is sent,
 * nothing is changed.
 */

const HEADERS_MAX = 100;

/** Field names of HTTP are the same in any case. */
const headers = z
  .record(z.string().min(1).max(200).toLowerCase(), z.string().max(8192))
  .superRefine(entriesAtMost(HEADERS_MAX))
  .meta({ maxProperties: HEADERS_MAX })
  .default({});

export const previewRequest = endpoint({
  method: 'POST',
  path: '/api/channel/preview',
  access: 'admin',
  owner: 'any',
  summary: 'The request that would be sent to a channel, saved or as in the form; nothing is sent',
  body: z
    .strictObject({
      /** A saved channel as it is. */
      id: bodyId.optional(),
      /** A channel as it stands in a form. */
      channel: draft.optional(),
      dialect: z.enum(sampleDialects).default('openai-chat'),
      operation: z.enum(sampleOperations).default('chat'),
      /** Where the body names none; default: the channel's test model, else its first. */
      model: text(MODEL_NAME_MAX_LENGTH).default(''),
      stream: z.boolean().default(false),
      group: text(GROUP_NAME_MAX_LENGTH).default(''),
      headers,
      request: z.record(z.string(), z.unknown()),
    })
    .superRefine(exactlyOneOf('id', 'channel'))
    .meta({ description: 'exactly one of id and channel' }),
  data: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    format: z.string(),
    model: z.string(),
    upstream_model: z.string(),
    rules: z.number(),
    /** Further headers are made when it is sent. */
    signed_later: z.boolean(),
  }),
});

const TOKENS_MAX = 100_000_000;
const tokenCount = z.number().int().min(0).max(TOKENS_MAX);

export const explainCall = endpoint({
  method: 'POST',
  path: '/api/channel/explain',
  access: 'admin',
  owner: 'any',
  summary:
    'Which channels a call might get, how likely each is, and why the others are left out; nothing is sent',
  body: z.strictObject({
    /** Who calls; default: whoever asks. */
    user_id: bodyId.optional(),
    /** With which key of theirs. */
    token_id: bodyId.optional(),
    model: text(MODEL_NAME_MAX_LENGTH).min(1),
    /** Where the key has none; empty is the caller's own. */
    group: text(GROUP_NAME_MAX_LENGTH).default(''),
    dialect: z.enum(sampleDialects).default('openai-chat'),
    operation: z.enum(sampleOperations).default('chat'),
    stream: z.boolean().default(false),
    headers,
    prompt_tokens: tokenCount.default(EXPLAINED_TOKENS),
    /** The most it asks for; default: what a call that names none is taken for. */
    output_tokens: tokenCount.default(EXPLAINED_TOKENS),
    /** The session of a logged call, by the id its row has; headers may name one too. */
    session: z
      .string()
      .regex(/^[\w-]{22}$/)
      .optional(),
    prompt_cache_key: text(512).default(''),
  }),
  data: z.object({
    model: z.string(),
    /** The name asked for, where an alias stands for the model; else empty. */
    asked_model: z.string(),
    username: z.string(),
    groups: z.array(z.string()),
    group: z.string(),
    /** Why the call is refused before a channel is looked for; empty if it is not. */
    refusal: z.string(),
    /** Only channels that cool down are left. */
    cooling_taken: z.boolean(),
    /** By what one of the open channels is taken. */
    policy: z.enum(choicePolicies),
    /** Its session; null where it has none. Asking binds and counts nothing. */
    session: z
      .object({
        /** What identified it: a header, a field, or a row of the log. */
        from: z.string(),
        /** The channel that answered it last; 0 if not known. */
        channel_id: z.number(),
        channel: z.string(),
        /** Why it would not stay there; empty if it would. */
        passed_over: z.string(),
      })
      .nullable(),
    /** What it would cost its caller in units; null if the model has no price. */
    quota: z.number().nullable(),
    channels: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        type: z.number(),
        status: z.number(),
        priority: z.number(),
        weight: z.number(),
        upstream_model: z.string(),
        rules: z.number(),
        /** From 0 to 1. */
        chance: z.number(),
        /** Why it is not taken; empty where it may be. */
        reason: z.string(),
        /** US dollars; null if it is not known. */
        cost_usd: z.number().nullable(),
        keys: z.array(z.object({ id: z.number(), name: z.string(), open: z.boolean(), chance: z.number() })),
        key_count: z.number(),
      }),
    ),
    /** All that list the model: of many not all are shown. */
    total: z.number(),
  }),
});
