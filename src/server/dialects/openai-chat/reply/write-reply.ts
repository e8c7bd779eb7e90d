import type { ChatEvent } from '#core/chat/event.ts';
import { writePlace } from '../../openai/citation-place.ts';
import type { Fields } from '#core/json/fields.ts';
import { writeFinishReason } from '../../openai/finish-reason.ts';
import { writeLogprobs } from '../../openai/logprobs.ts';
import { writeUsage } from '../../openai/usage/usage.ts';
import { writeCallSignature, writeMedia } from '../parts/write-parts.ts';

/** Fields of `usage` that we read; others, such as a cost, are kept as extras. */
export const KNOWN_IN_USAGE: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'num_cached_tokens',
  'prompt_tokens_details',
  'prompt_token_details',
  'completion_tokens_details',
  'input_tokens_details',
  'output_tokens_details',
  'prompt_cache_hit_tokens',
  'prompt_cache_miss_tokens',
  'cache_creation',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
]);

type Start = Extract<ChatEvent, { type: 'start' }>;
type Finish = Extract<ChatEvent, { type: 'finish' }>;

/** The first fields of every chunk, or of a whole reply. */
export const writeHead = (start: Start, object: string): Fields => ({
  ...start.extras?.['openai-chat'],
  id: start.id,
  object,
  created: Math.trunc((start.createdAtMs ?? 0) / 1000),
  model: start.model,
});

/** The start of a reply whose upstream sent none. */
export const noStart: Start = { type: 'start', id: '', model: '' };

/** The fields of `usage`. */
export const writeUsageEvent = (event: Extract<ChatEvent, { type: 'usage' }>): Fields => ({
  ...event.extras?.['openai-chat'],
  ...writeUsage(event.usage),
});

/**
 * Writes the end of a choice: its finish reason and the extras. A refusal without refusal text (`hasRefused` is false) is
 * written as a filtered answer.
 */
export const writeFinish = (event: Finish, hasRefused: boolean): Fields => {
  const { finish_reason: kept, ...others } = event.extras?.['openai-chat'] ?? {};
  const reason = event.reason === 'refusal' && !hasRefused ? 'content-filter' : event.reason;
  return {
    ...others,
    finish_reason: kept ?? writeFinishReason(reason),
    ...(event.stopSequence !== undefined && { stop_reason: event.stopSequence }),
  };
};

/** The explanation of a filtered answer without refusal text; clients of this format show it as the refusal. */
export const filterExplanation = ({ reason, explanation }: Finish): string | undefined =>
  reason === 'refusal' || reason === 'content-filter' ? explanation : undefined;

/** An entry of a message's `images`. */
export const writeImage = (event: Extract<ChatEvent, { type: 'image' }>): Fields => ({
  type: 'image_url',
  image_url: { url: writeMedia(event.media) },
});

/** Writes a citation; undefined for one without a URL that only another format can express. */
export const writeCitation = (event: Extract<ChatEvent, { type: 'citation' }>): Fields | undefined => {
  const extras = event.extras?.['openai-chat'] ?? {};
  if (extras['type'] !== undefined) return extras;
  if (event.url === undefined) return undefined;
  return {
    type: 'url_citation',
    url_citation: {
      ...extras,
      url: event.url,
      title: event.title ?? '',
      ...writePlace(event),
    },
  };
};

/** Writes a tool call with its arguments, or with its input if `isFreeText`. */
export const writeCallStart = (
  event: Extract<ChatEvent, { type: 'tool-call-start' }>,
  argumentsText: string,
  isFreeText: boolean,
): Fields => ({
  id: event.id,
  ...(isFreeText
    ? { type: 'custom', custom: { name: event.name, input: argumentsText } }
    : { type: 'function', function: { name: event.name, arguments: argumentsText } }),
  ...writeCallSignature(event),
});

/** The fields next to a text delta: the extras of this format and the log probabilities. */
export const writeBeside = ({ logprobs, extras }: Extract<ChatEvent, { type: 'text-delta' }>): Fields => {
  const own = extras?.['openai-chat'];
  if (logprobs === undefined || own?.['logprobs'] !== undefined) return own ?? NOTHING;
  return { ...own, logprobs: { content: writeLogprobs(logprobs), refusal: null } };
};

const NOTHING: Fields = {};
