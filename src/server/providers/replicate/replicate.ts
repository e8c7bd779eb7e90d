import { readUsage } from '../../dialects/openai/usage.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { baseUrlOf, bearer } from '../openai-layout.ts';
import { asOneText, plainChat } from '../plain-chat.ts';
import { plainEgress, type Piece } from '../plain-egress.ts';
import type { Addressed, Provider } from '../provider.ts';
import { isUnfinished, predict } from './predictions.ts';

/** Source: replicate.com/docs/reference/http, predictions: the output of a language model is a list of texts. */
const readWhole = (body: Fields): Piece => {
  const status = textOf(body['status']) ?? '';
  if (isUnfinished(body)) return { error: { message: `the prediction is still ${status}`, code: status } };
  if (status === 'failed' || status === 'canceled' || textOf(body['error']) !== undefined)
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
    text: Array.isArray(output) ? output.map(String).join('') : (textOf(output) ?? ''),
    finish: 'stop',
    ...(usage !== undefined && { usage }),
  };
};

/** One event of a stream, as `predict` tells them; its end has a status, and so has a prediction that comes whole. */
const readFrame = (data: Fields): Piece =>
  data['status'] === undefined
    ? { text: textOf(data['output']) ?? '' }
    : { ...readWhole(data), ...(data['done'] === true && { done: true }) };

/** `owner/name` has predictions of its own; `owner/name:version` and a bare version are named in the body. */
const versionOf = (model: string): string | undefined => {
  const [, version] = model.split(':');
  return version ?? (model.includes('/') ? undefined : model);
};

const pathOf = ({ model }: Addressed): string =>
  versionOf(model) === undefined
    ? `/v1/models/${model.split('/').map(encodeURIComponent).join('/')}/predictions`
    : '/v1/predictions';

/** Replicate's language models. A whole answer is waited for in the call that asks, as long as that allows: a minute. */
export const replicate: Provider = {
  dialect: plainEgress({
    name: 'replicate',
    writeRequest: (request) => {
      const chat = plainChat(request);
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
          ...(request.stop !== undefined && { stop_sequences: request.stop.join(',') }),
        },
      };
    },
    readWhole,
    readFrame,
  }),
  operations: ['chat'],
  address: (channel, call) => ({
    url: baseUrlOf(channel, '/v1') + pathOf(call),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(!call.stream && { prefer: 'wait=60' }),
      ...bearer(channel),
    },
  }),
  adjust: (body, call) => {
    const version = versionOf(call.model);
    return version === undefined ? body : { ...body, version };
  },
  deliver: predict,
};
