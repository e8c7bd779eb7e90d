import { optionTable } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { gemini as geminiDialect } from '../../dialects/gemini/gemini.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { baseUrlOf, bearer, contentHeaders } from '../openai-layout.ts';
import type { Operation } from '#core/operation.ts';
import { requireDrawnWhole } from '../drawn-whole.ts';
import type { Addressed, Provider } from '../provider.ts';
import { adjustForModel } from '../gemini-adjust.ts';
import { readSuffix } from '../gemini-suffix.ts';

/** The version the channel names, else the one the operator chose for the model, else the one for all. */
const versionOf = (channel: Channel, model: string, { options }: Addressed): string => {
  if (channel.other.trim() !== '') return channel.other.trim();
  const versions = options?.['gemini.version_settings'] ?? optionTable['gemini.version_settings'].initial;
  return versions[model] ?? versions['default'] ?? 'v1beta';
};

const PLAIN_METHODS: Partial<Readonly<Record<Operation, string>>> = {
  'embed-content': 'embedContent',
  'batch-embed-contents': 'batchEmbedContents',
};

const chatMethod = (stream: boolean): string =>
  stream ? 'streamGenerateContent?alt=sse' : 'generateContent';

/** Embeddings may name their model in the body as well, and then it has to be the one in the path. */
const withModel = (body: Fields, model: string): Fields => ({
  ...body,
  ...(body['model'] !== undefined && { model: `models/${model}` }),
  ...(Array.isArray(body['requests']) && {
    requests: listOf(body['requests']).map((request) => ({ ...fieldsOf(request), model: `models/${model}` })),
  }),
});

/** What it offers in OpenAI's format, for callers of that format (ai.google.dev/gemini-api/docs/openai). */
const OPENAIS: Partial<Readonly<Record<Operation, string>>> = {
  embeddings: '/v1beta/openai/embeddings',
  images: '/v1beta/openai/images/generations',
};

/** Of a call for pictures it knows these, and gives them in base64 only. */
const writeImages = (body: Fields): Fields => {
  requireDrawnWhole(body);
  const { model, prompt, n, size } = body;
  return {
    model,
    prompt,
    ...(n !== undefined && { n }),
    ...(size !== undefined && size !== 'auto' && { size }),
    response_format: 'b64_json',
  };
};

/** The model and what to do with it stand in the path. */
const pathOf = (channel: Channel, call: Addressed): string => {
  const openais = OPENAIS[call.operation];
  if (openais !== undefined) return openais;
  const model = readSuffix(call.model, call.options)?.model ?? call.model;
  const version = encodeURIComponent(versionOf(channel, model, call));
  if (call.operation === 'models') return `/${version}/models?pageSize=1000`;
  const method = PLAIN_METHODS[call.operation] ?? chatMethod(call.stream);
  return `/${version}/models/${encodeURIComponent(model)}:${method}`;
};

/** Google AI Studio (ai.google.dev/api). */
export const gemini: Provider = {
  dialect: geminiDialect,
  operations: ['chat', 'embeddings', 'images', 'embed-content', 'batch-embed-contents', 'models'],
  address: (channel, call) => ({
    url: baseUrlOf(channel).replace(/\/v1(?:beta|alpha)?(?:\/openai)?$/, '') + pathOf(channel, call),
    headers: {
      ...contentHeaders(call),
      ...(OPENAIS[call.operation] === undefined
        ? { 'x-goog-api-key': channel.key.reveal().trim() }
        : bearer(channel)),
    },
  }),
  adjust: (body, call) => {
    if (call.operation === 'chat') return adjustForModel(body, call);
    if (call.operation === 'images') return writeImages(body);
    return PLAIN_METHODS[call.operation] === undefined ? body : withModel(body, call.model);
  },
  readModels: (body) =>
    listOf(fieldsOf(body)['models'])
      .map((model) => textOf(fieldsOf(model)['name'])?.replace(/^models\//, ''))
      .filter((name) => name !== undefined),
};
