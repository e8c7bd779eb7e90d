import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { Usage } from '#core/chat/usage.ts';
import { readErrorInside } from '../../dialects/openai/error.ts';
import { ownOf, fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { readUsage } from '../../dialects/openai/usage/usage.ts';

const choice = 0;

const REASONS: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
};

/** Reads the billed tokens. Cohere bills neither its own templates nor what it read from its cache. */
const readCohereUsage = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  return readUsage(fieldsOf(usage['billed_units'])) ?? readUsage(fieldsOf(usage['tokens']));
};

/** A whole reply as events. */
export const readWhole = (body: unknown): ChatEvent[] => {
  const reply = fieldsOf(body);
  const message = fieldsOf(reply['message']);
  const events: ChatEvent[] = [{ type: 'start', id: textOf(reply['id']) ?? '', model: '' }];
  events.push(...readPlan(message['tool_plan']));
  for (const part of listOf(message['content'])) events.push(...readContent(part));
  for (const citation of listOf(message['citations'])) events.push(...readCitation(citation));
  for (const [index, call] of listOf(message['tool_calls']).entries()) events.push(...readCall(call, index));
  return [...events, ...readEnd(reply)];
};

/** One event of a stream (docs.cohere.com/docs/streaming), by its `type`. */
export const readEvent = (event: Fields): ChatEvent[] => {
  const delta = fieldsOf(event['delta']);
  const message = fieldsOf(delta['message']);
  const index = typeof event['index'] === 'number' ? event['index'] : 0;
  switch (event['type']) {
    case 'message-start':
      return [{ type: 'start', id: textOf(event['id']) ?? '', model: '' }];
    case 'content-start':
    case 'content-delta':
      return readContent(message['content']);
    case 'tool-plan-delta':
      return readPlan(message['tool_plan']);
    case 'tool-call-start':
      return readCall(message['tool_calls'], index);
    case 'tool-call-delta':
      return readArguments(fieldsOf(message['tool_calls']), index);
    case 'citation-start':
      return readCitation(message['citations']);
    case 'message-end':
      return readEnd(delta);
    default:
      // The whole answer may come in place of a stream.
      if (event['type'] === undefined && event['finish_reason'] !== undefined) return readWhole(event);
      return isFailure(event) ? [{ type: 'error', error: readErrorInside(event) }] : [];
  }
};

const isFailure = (event: Fields): boolean =>
  event['type'] === undefined && (event['message'] !== undefined || event['error'] !== undefined);

/** The tool plan that comes before tool calls is reasoning, not answer. */
const readPlan = (plan: unknown): ChatEvent[] =>
  textOf(plan) === undefined ? [] : [{ type: 'reasoning-delta', choice, text: String(plan) }];

const readContent = (value: unknown): ChatEvent[] => {
  const { text, thinking } = fieldsOf(value);
  if (textOf(thinking) !== undefined) return [{ type: 'reasoning-delta', choice, text: String(thinking) }];
  return textOf(text) === undefined ? [] : [{ type: 'text-delta', choice, text: String(text) }];
};

const readCall = (value: unknown, index: number): ChatEvent[] => {
  const call = fieldsOf(value);
  const name = textOf(fieldsOf(call['function'])['name']) ?? '';
  return [
    { type: 'tool-call-start', choice, index, id: textOf(call['id']) ?? '', name },
    ...readArguments(call, index),
  ];
};

const readArguments = (call: Fields, index: number): ChatEvent[] => {
  const text = textOf(fieldsOf(call['function'])['arguments']);
  return text === undefined ? [] : [{ type: 'tool-call-delta', choice, index, argumentsText: text }];
};

const readCitation = (value: unknown): ChatEvent[] =>
  listOf(fieldsOf(value)['sources'])
    .filter(isFields)
    .flatMap((source): ChatEvent[] => {
      const { url, title } = fieldsOf(source['document']);
      if (textOf(url) === undefined && textOf(title) === undefined) return [];
      return [
        {
          type: 'citation',
          choice,
          ...(typeof url === 'string' && { url }),
          ...(typeof title === 'string' && { title }),
        },
      ];
    });

const readEnd = (end: Fields): ChatEvent[] => {
  const word = textOf(end['finish_reason']) ?? '';
  const usage = readCohereUsage(end['usage']);
  if (word === 'ERROR' || word === 'TIMEOUT')
    return [{ type: 'error', error: readErrorInside({ error: textOf(end['error']) ?? word }) }];
  return [
    { type: 'finish', choice, reason: ownOf(REASONS, word) ?? 'other' },
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
  ];
};
