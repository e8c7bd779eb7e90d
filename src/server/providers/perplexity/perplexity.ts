import type { ChatEvent } from '#core/chat/event.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { Egress } from '../../dialects/dialect.ts';
import { baseUrlOf, bearer, contentHeaders } from '../openai-layout.ts';
import type { Operation } from '#core/operation.ts';
import type { Provider } from '../provider.ts';
import { readEmbeddings, writeEmbeddings } from './perplexity-embeddings.ts';

/** What it reads of a response's request; any other field, at any depth, is refused. */
const KNOWN = [
  'model',
  'models',
  'preset',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'max_steps',
  'max_tool_calls',
  'temperature',
  'top_p',
  'reasoning',
  'response_format',
  'language_preference',
  'previous_response_id',
  'background',
  'metadata',
  'store',
  'truncation',
];

/**
 * The models of the interface before it, by what does the same now: its own model, which only searches where it is told
 * to, and how deep it searches (docs.perplexity.ai/docs/agent-api/migrate-from-sonar).
 */
const SONAR: Readonly<Record<string, Fields>> = {
  sonar: { model: 'perplexity/sonar', preset: 'fast' },
  'sonar-pro': { model: 'perplexity/sonar', preset: 'low' },
  'sonar-reasoning': { model: 'perplexity/sonar', preset: 'low' },
  'sonar-reasoning-pro': { model: 'perplexity/sonar', preset: 'low' },
  'sonar-deep-research': { model: 'perplexity/sonar', preset: 'medium' },
};

const PRESETS = /^(?:fast|low|medium|high|xhigh|fast-search|pro-search|(?:advanced-)?deep-research)$/;

const modelFields = (model: string): Fields =>
  SONAR[model] ?? (PRESETS.test(model) ? { model: undefined, preset: model } : { model });

const adjusted = (body: Fields, model: string): Fields => {
  const known = Object.fromEntries(KNOWN.map((name) => [name, body[name]]));
  const fields: Fields = {
    ...known,
    ...modelFields(model),
    reasoning: writeReasoning(body['reasoning']),
    response_format: body['response_format'] ?? writeFormat(fieldsOf(body['text'])['format']),
    tool_choice: writeToolChoice(body['tool_choice']),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};

/** It knows how hard to think, and nothing else of it; not thinking at all is not among its words. */
const writeReasoning = (value: unknown): Fields | undefined => {
  const effort = textOf(fieldsOf(value)['effort']);
  return effort === undefined || effort === 'none' ? undefined : { effort };
};

/** An answer's form stands where it stood in chats. */
const writeFormat = (value: unknown): Fields | undefined => {
  const { type, ...schema } = fieldsOf(value);
  if (type === 'json_schema') return { type, json_schema: schema };
  return type === 'json_object' ? { type } : undefined;
};

const writeToolChoice = (value: unknown): unknown =>
  isFields(value) && value['type'] === 'function' ? { name: value['name'] } : value;

/** What was found stands in an item of its own, beside an answer that cites it by number. */
const citationsIn = (item: unknown): ChatEvent[] =>
  fieldsOf(item)['type'] !== 'search_results'
    ? []
    : listOf(fieldsOf(item)['results']).flatMap((result): ChatEvent[] => {
        const url = textOf(fieldsOf(result)['url']);
        const title = textOf(fieldsOf(result)['title']);
        if (url === undefined) return [];
        return [{ type: 'citation', choice: 0, url, ...(title !== undefined && { title }) }];
      });

const responses: Egress = {
  ...openaiResponses,
  readWhole: (body) => {
    const events = openaiResponses.readWhole(body);
    const found = listOf(fieldsOf(body)['output']).flatMap(citationsIn);
    const end = events.findIndex(({ type }) => type === 'finish');
    return found.length === 0 || end === -1 ? events : events.toSpliced(end, 0, ...found);
  },
  openReader: () => {
    const reader = openaiResponses.openReader();
    return {
      read: (frame) => {
        const events = reader.read(frame);
        if (!frame.data.includes('"search_results"')) return events;
        const { type, item } = fieldsOf(JSON.parse(frame.data.toString()));
        return type === 'response.output_item.done' ? [...events, ...citationsIn(item)] : events;
      },
      end: () => reader.end(),
    };
  },
};

const PATHS: Partial<Readonly<Record<Operation, string>>> = { models: 'models', embeddings: 'embeddings' };

/**
 * Perplexity's Agent API, which speaks OpenAI's Responses and took the place of its chats in September 2026
 * (docs.perplexity.ai/docs/agent-api, OpenAI compatibility).
 */
export const perplexity: Provider = {
  dialect: responses,
  operations: ['chat', 'embeddings', 'models'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel).replace(/\/v[12]$/, '')}/v1/${PATHS[call.operation] ?? 'responses'}`,
    headers: { ...contentHeaders(call), ...bearer(channel) },
  }),
  adjust: (body, call) => {
    if (call.operation === 'embeddings') return writeEmbeddings(body, call.model);
    return call.operation === 'chat' ? adjusted(body, call.model) : body;
  },
  readReply: (body, call, asked) => (call.operation === 'embeddings' ? readEmbeddings(body, asked) : body),
};
