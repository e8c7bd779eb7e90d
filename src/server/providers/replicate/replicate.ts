import { type Fields, fieldsOf, textOf, wordOf } from '#core/json/fields.ts';
import { readUsage } from '../../dialects/openai/usage/usage.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { asOneText, textOnlyChat } from '../shared/chat/text-only-chat.ts';
import { type Piece, textOnlyEgress } from '../shared/chat/text-only-egress.ts';
import { provider } from '../shared/description/provider.ts';
import { named } from '../shared/description/model-lists.ts';
import { isUnfinished, predict } from './predictions.ts';

/** Source: replicate.com/docs/reference/http, predictions: the output of a language model is a list of texts. */
const readWhole = (body: Fields): Piece => {
  const status = textOf(body['status']) ?? '';
  if (isUnfinished(body)) return { error: { message: `the prediction is still ${status}`, code: status } };
  // Failed, canceled, or aborted before it began.
  if ((status !== '' && status !== 'succeeded') || textOf(body['error']) !== undefined)
    return { error: { message: textOf(body['error']) ?? `the prediction ${status}`, code: status } };
  const { output } = body;
  const metrics = fieldsOf(body['metrics']);
  const usage = readUsage({
    prompt_tokens: metrics['input_token_count'],
    completion_tokens: metrics['output_token_count'],
  });
  return {
    id: textOf(body['id']) ?? '',
    model: textOf(body['model']) ?? '',
    text: Array.isArray(output) ? output.map(wordOf).join('') : (textOf(output) ?? ''),
    finish: 'stop',
    ...(usage !== undefined && { usage }),
  };
};

/** Reads one event that `predict` wrote. Like a whole prediction, the last one has a status. */
const readFrame = (data: Fields): Piece =>
  data['status'] === undefined
    ? { text: textOf(data['output']) ?? '' }
    : { ...readWhole(data), ...(data['done'] === true && { done: true }) };

/** The version that the body names, for `owner/name:version` and a bare version; `owner/name` has a path of its own. */
const versionOf = (model: string): string | undefined => {
  const [, version] = model.split(':');
  return version ?? (model.includes('/') ? undefined : model);
};

const pathOf = ({ model }: UpstreamCall): string =>
  versionOf(model) === undefined
    ? `/v1/models/${model.split('/').map(encodeURIComponent).join('/')}/predictions`
    : '/v1/predictions';

/** Replicate's language models. The request itself waits for a whole answer up to a minute. */
export const replicate = provider({
  types: [56],
  key: 'bearer',
  dialect: textOnlyEgress({
    name: 'replicate',
    // Each model has fields of its own, and many have none for stop sequences.
    hasNoStops: true,
    writeRequest: (request) => {
      const chat = textOnlyChat(request);
      return {
        ...(request.stream && { stream: true }),
        input: {
          prompt: asOneText({ system: '', turns: chat.turns }),
          ...(chat.system !== '' && { system_prompt: chat.system }),
          ...(request.maxOutputTokens !== undefined && { max_tokens: request.maxOutputTokens }),
          ...(request.temperature !== undefined && { temperature: request.temperature }),
          ...(request.topP !== undefined && { top_p: request.topP }),
          ...(request.topK !== undefined && { top_k: request.topK }),
          ...(request.seed !== undefined && { seed: request.seed }),
        },
      };
    },
    readWhole,
    readFrame,
  }),
  root: (channel) => baseUrlOf(channel, '/v1'),
  headers: (_, call) => ({ accept: 'application/json', ...(!call.stream && { prefer: 'wait=60' }) }),
  offers: {
    chat: {
      path: pathOf,
      write: (body, call) => {
        const version = versionOf(call.model);
        return version === undefined ? body : { ...body, version };
      },
      deliver: predict,
    },
  },
  errorPatterns: PAYMENT_REQUIRED,
  // replicate.com/collections: official models, which are always running
  models: named(`openai/gpt-5 openai/gpt-5-mini openai/gpt-4o anthropic/claude-4.5-sonnet google/gemini-3-pro
    meta/llama-4-maverick-instruct meta/meta-llama-3-70b-instruct deepseek-ai/deepseek-v3.1
    black-forest-labs/flux-1.1-pro black-forest-labs/flux-schnell google/nano-banana`),
});
