import { optionTable } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { gemini as geminiDialect } from '../../dialects/gemini/gemini.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { GOOGLE_KEY } from '../shared/description/error-patterns.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { PICTURE_FIELDS } from '../shared/request/pictures.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { refuseStreamedImages } from '../shared/request/refuse-streamed-images.ts';
import { adjustForModel } from '../shared/models/gemini-adjust.ts';
import { readSuffix } from '../shared/models/gemini-suffix.ts';
import { provider } from '../shared/description/provider.ts';
import { named } from '../shared/description/model-lists.ts';

/** The API version: the channel's, else the operator's for this model, else the operator's default. */
const versionOf = (channel: Channel, model: string, { options }: UpstreamCall): string => {
  if (channel.other.trim() !== '') return channel.other.trim();
  const versions = options?.['gemini.version_settings'] ?? optionTable['gemini.version_settings'].initial;
  return versions[model] ?? versions['default'] ?? 'v1beta';
};

const chatMethod = (stream: boolean): string =>
  stream ? 'streamGenerateContent?alt=sse' : 'generateContent';

/** An embeddings request may also name its model in the body; it must be the same as in the path. */
const withModel = (body: Fields, { model }: UpstreamCall): Fields => ({
  ...body,
  ...(body['model'] !== undefined && { model: `models/${model}` }),
  ...(Array.isArray(body['requests']) && {
    requests: listOf(body['requests']).map((request) => ({ ...fieldsOf(request), model: `models/${model}` })),
  }),
});

/** The fields of an images request that it accepts; images come in base64 only. */
const writeImages = (body: Fields): Fields => {
  refuseStreamedImages(body);
  refuseAsked(body, [...PICTURE_FIELDS, 'quality', 'background', 'output_format', 'output_compression']);
  const { model, prompt, n, size } = body;
  return {
    model,
    prompt,
    ...(n !== undefined && { n }),
    ...(size !== undefined && size !== 'auto' && { size }),
    response_format: 'b64_json',
  };
};

/**
 * Google keeps the prompts and answers of projects made since October 2026 for weeks, unless the request says otherwise
 * (ai.google.dev/gemini-api/docs/logs-datasets). Callers of other formats did not ask for that and could not read them there.
 * The older `v1` is not known to have the field; Vertex refuses it.
 */
const unstored = (body: Fields, call: UpstreamCall, channel: Channel): Fields =>
  call.isRepeated === true || body['store'] !== undefined || versionOf(channel, call.model, call) === 'v1'
    ? body
    : { ...body, store: false };

/** The path names the model and the method. */
const modelPath =
  (method: (stream: boolean) => string) =>
  (call: UpstreamCall, channel: Channel): string => {
    const model = readSuffix(call.model, call.options)?.model ?? call.model;
    const version = encodeURIComponent(versionOf(channel, model, call));
    return `/${version}/models/${encodeURIComponent(model)}:${method(call.stream)}`;
  };

/** Google AI Studio (ai.google.dev/api). */
export const gemini = provider({
  // PaLM's own API has ended; its keys and address work for Gemini.
  types: [11, 24],
  key: { header: 'x-goog-api-key' },
  dialect: geminiDialect,
  root: (channel) => baseUrlOf(channel).replace(/\/v1(?:beta|alpha)?(?:\/openai)?$/, ''),
  offers: {
    chat: {
      path: modelPath(chatMethod),
      write: (body, call, channel) => unstored(adjustForModel(body, call), call, channel),
    },
    // Offered in OpenAI's format, for callers of that format (ai.google.dev/gemini-api/docs/openai).
    embeddings: { path: '/v1beta/openai/embeddings', key: 'bearer' },
    images: { path: '/v1beta/openai/images/generations', key: 'bearer', write: writeImages },
    'embed-content': { path: modelPath(() => 'embedContent'), write: withModel },
    'batch-embed-contents': { path: modelPath(() => 'batchEmbedContents'), write: withModel },
    models: {
      path: (call, channel) =>
        `/${encodeURIComponent(versionOf(channel, call.model, call))}/models?pageSize=1000`,
    },
  },
  readModels: (body) =>
    listOf(fieldsOf(body)['models'])
      .map((model) => textOf(fieldsOf(model)['name'])?.replace(/^models\//, ''))
      .filter((name) => name !== undefined),
  // ai.google.dev/gemini-api/docs/troubleshooting: 403 is always about the key.
  errorPatterns: { key: new RegExp(`${GOOGLE_KEY.source}|^\\[403\\]`) },
  // ai.google.dev/gemini-api/docs: models, deprecations (the others of 2.5 end on 1 December 2026)
  models: named(`
  gemini-4-argon gemini-4-carbon gemini-4-hydrogen gemini-4-neon gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash
  gemini-3.5-flash-lite gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-3-flash-preview gemini-2.5-flash-lite
  gemini-nano-banana-2.1 gemini-3-pro-image gemini-3.1-flash-image gemini-embedding-2 gemini-embedding-001
  gemma-4-31b-it gemma-4-26b-a4b-it
`),
});
