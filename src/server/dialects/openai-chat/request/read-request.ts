import { z } from 'zod';
import type { ChatRequest, ContentPart, Message, ResponseFormat } from '#core/chat/request.ts';
import {
  choiceCount,
  flag,
  knob,
  modelName,
  parseBounds,
  tokenCount,
  wholeNumber,
} from '../../openai/bounds.ts';
import {
  fieldsOf,
  isFields,
  listOf,
  otherFields,
  textOf,
  type Fields,
  wordOf,
  isGiven,
  onlyGiven,
} from '#core/json/fields.ts';
import { byDot, listedFields } from '../../listed-parts.ts';
import { withTools } from '../legacy-functions.ts';
import { readOnlyIn, wantsLogprobs } from '../only-in.ts';
import { readContent, readToolCall } from '../parts/read-parts.ts';
import { readFormat } from '../../openai/response-format.ts';
import { placeReasoning } from '../parts/place-reasoning.ts';
import { hasVendorFields, readReasoning } from './reasoning.ts';
import { readSpeech } from '../speech.ts';
import { readReasoningDetails } from '../parts/read-reasoning-details.ts';
import { isMedia, SHOWS_MEDIA } from '../parts/shown-media.ts';
import { readToolChoice, readTools } from './read-tools.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

const wire = z.object({
  model: modelName,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
        name: text,
      }),
    )
    .min(1),
  stream: flag,
  tools: z.array(z.record(z.string(), z.unknown())).nullish(),
  parallel_tool_calls: flag,
  max_tokens: tokenCount,
  max_completion_tokens: tokenCount,
  temperature: knob,
  top_p: knob,
  top_k: knob,
  presence_penalty: knob,
  frequency_penalty: knob,
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: wholeNumber,
  n: choiceCount,
  reasoning_effort: text,
  user: text,
});

type WireMessage = z.output<typeof wire>['messages'][number];

/** Fields of the common form; all others are stored as extras. */
const KNOWN = new Set([...Object.keys(wire.shape), 'tool_choice', 'response_format']);
KNOWN.delete('max_completion_tokens');
const KNOWN_IN_MESSAGE = new Set([
  'role',
  'name',
  'content',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'audio',
  'images',
]);
/** Reads a chat request into the common form. Throws `invalid_request` naming the wrong field. */
export const readRequest = (body: unknown): ChatRequest => {
  const fields = withTools(fieldsOf(body));
  const request = parseBounds(wire, fields);
  const extras: Record<string, unknown> = { ...otherFields(fields, KNOWN) };
  const logprobs = readLogprobs(fields, extras);
  const toolChoice = readToolChoice(fields['tool_choice']);
  const responseFormat = readResponseFormat(fields['response_format']);
  const reasoning = readReasoning(fields);
  // Fields without a common form, unchanged.
  if (keepsChoice(fields['tool_choice'])) extras['tool_choice'] = fields['tool_choice'];
  if (responseFormat === undefined && isGiven(fields['response_format']))
    extras['response_format'] = fields['response_format'];
  const isAlone = reasoning?.effort === request.reasoning_effort && !hasVendorFields(fields);
  if (request.reasoning_effort !== undefined && !isAlone)
    extras['reasoning_effort'] = request.reasoning_effort;
  const read: { [Key in keyof ChatRequest]?: ChatRequest[Key] | null | undefined } = {
    onlyIn: readOnlyIn(fields),
    tools: readTools(request.tools ?? undefined, fields),
    toolChoice,
    parallelToolCalls: request.parallel_tool_calls,
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    stop: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? undefined),
    seed: request.seed,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
    choices: request.n,
    responseFormat,
    reasoning,
    imagesAskedBy: listOf(fields['modalities']).includes('image') ? 'modalities' : undefined,
    logprobs,
    speech: readSpeech(fields),
    endUser: request.user,
  };
  return {
    model: request.model,
    stream: request.stream ?? false,
    messages: request.messages.map((message, at) => readMessage(message, byDot('messages', at))),
    ...onlyGiven(read),
    extras: Object.keys(extras).length === 0 ? {} : { 'openai-chat': extras },
  };
};

/** A number without the flag is stored unchanged, for upstreams that accept it. */
const readLogprobs = (fields: Fields, extras: Record<string, unknown>): ChatRequest['logprobs'] => {
  if (!wantsLogprobs(fields)) return undefined;
  const { logprobs, top_logprobs: most } = fields;
  if (logprobs === true) {
    delete extras['logprobs'];
    delete extras['top_logprobs'];
  }
  const top = logprobs === true ? most : logprobs;
  return typeof top === 'number' && top > 0 ? { top } : {};
};

/** A choice of several functions, or of something else, goes unchanged to upstreams of this format. */
const keepsChoice = (choice: unknown): boolean => {
  const isPlain = typeof readToolChoice(choice) === 'string';
  return isFields(choice) && choice['type'] !== 'function' && choice['type'] !== 'tool' && !isPlain;
};

const readMessage = (message: WireMessage, place: string): Message => {
  const { role, name } = message;
  const others = otherFields(message, KNOWN_IN_MESSAGE);
  if (role === 'tool' || role === 'function') {
    const callId = role === 'tool' ? (textOf(message['tool_call_id']) ?? '') : (name ?? '');
    const extras = role === 'function' ? { ...others, role } : others;
    return {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId,
          ...(name !== undefined && { name }),
          ...readResult(message['content'], `${place}.content`),
        },
      ],
      ...(extras !== undefined && { extras: { 'openai-chat': extras } }),
    };
  }
  const audioId = textOf(fieldsOf(message['audio'])['id']);
  return {
    role,
    ...(name !== undefined && { name }),
    content: placeReasoning(
      readReasoningDetails(message),
      [
        ...readContent(message['content'], `${place}.content`),
        // Images generated by the model, in OpenRouter's format, which it wants back.
        ...readContent(message['images'], `${place}.images`),
        ...(textOf(message['refusal']) === undefined
          ? []
          : [{ type: 'refusal' as const, text: wordOf(message['refusal']) }]),
        ...(audioId === undefined
          ? []
          : [{ type: 'audio' as const, media: { from: 'file-id' as const, fileId: audioId } }]),
      ],
      listedFields(message['tool_calls'], `${place}.tool_calls`).map(readToolCall),
    ),
    ...(others !== undefined && { extras: { 'openai-chat': others } }),
  };
};

/** Some upstreams of this format accept images in tool results, so the caller's images stay there. */
const readResult = (
  value: unknown,
  param: string,
): Pick<Extract<ContentPart, { type: 'tool-result' }>, 'content' | 'extras'> => {
  const content = readContent(value, param);
  const isShown = content.some(isMedia);
  return { content, ...(isShown && { extras: { 'openai-chat': { [SHOWS_MEDIA]: true } } }) };
};

const readResponseFormat = (value: unknown): ResponseFormat | undefined => {
  const format = fieldsOf(value);
  return readFormat(format, fieldsOf(format['json_schema']));
};
