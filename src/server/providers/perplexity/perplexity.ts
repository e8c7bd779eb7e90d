import type { ChatEvent } from '#core/chat/event.ts';
import type { Egress } from '../../dialects/dialect.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '#core/json/fields.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { provider } from '../shared/description/provider.ts';
import { named } from '../shared/description/model-lists.ts';
import { readEmbeddings, writeEmbeddings } from './perplexity-embeddings.ts';

/** The fields of a Responses request that Perplexity accepts; it refuses any other, at any depth. */
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
 * What replaces each model of the former chat API: Perplexity's own model and a preset, which says how deep it searches
 * (docs.perplexity.ai/docs/agent-api/migrate-from-sonar).
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

/** Perplexity accepts only the effort, and not `none`. */
const writeReasoning = (value: unknown): Fields | undefined => {
  const effort = textOf(fieldsOf(value)['effort']);
  return effort === undefined || effort === 'none' ? undefined : { effort };
};

/** The response format is in the field that chats have for it. */
const writeFormat = (value: unknown): Fields | undefined => {
  const { type, ...schema } = fieldsOf(value);
  if (type === 'json_schema') return { type, json_schema: schema };
  return type === 'json_object' ? { type } : undefined;
};

const writeToolChoice = (value: unknown): unknown =>
  isFields(value) && value['type'] === 'function' ? { name: value['name'] } : value;

/** Search results are an item of their own; the answer cites them by number. */
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

/**
 * Perplexity's Agent API, which uses OpenAI's Responses format and replaced its chat API in September 2026
 * (docs.perplexity.ai/docs/agent-api, OpenAI compatibility).
 */
export const perplexity = provider({
  types: [27],
  key: 'bearer',
  dialect: responses,
  root: (channel) => `${baseUrlOf(channel).replace(/\/v[12]$/, '')}/v1`,
  offers: {
    chat: { path: '/responses', write: (body, call) => adjusted(body, call.model) },
    embeddings: {
      path: '/embeddings',
      write: (body, call) => writeEmbeddings(body, call.model),
      read: (body, _, asked) => readEmbeddings(body, asked),
    },
    models: { path: '/models' },
  },
  // docs.perplexity.ai/docs/agent-api: models and presets; the sonar names are those of the former chat API
  models: named(`perplexity/sonar fast low medium high xhigh
    sonar sonar-pro sonar-reasoning sonar-reasoning-pro sonar-deep-research`),
});
