import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { adjustForReasoningModels } from '../adjust-chat.ts';
import { baseUrlOf, contentHeaders, PATHS } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';

const DEFAULT_API_VERSION = '2025-04-01-preview';

/**
 * Azure OpenAI: the model is a deployment and stands in the path, with a dated API version from the channel's `other`.
 * `v1` there means the undated paths, where the model stands in the body.
 */
export const azure: Provider = {
  dialect: openaiChat,
  natives: [openaiResponses],
  operations: [
    'chat',
    'completions',
    'embeddings',
    'images',
    'image-edits',
    'speech',
    'transcriptions',
    'translations',
    'realtime',
    'models',
  ],
  address: (channel, call) => {
    const version = channel.other.trim() === '' ? DEFAULT_API_VERSION : channel.other.trim();
    const isResponses = call.dialect === openaiResponses.name;
    const base = `${baseUrlOf(channel)}/openai`;
    const path = isResponses ? 'responses' : PATHS[call.operation].slice(1);
    // Responses name their model in the body.
    const deployment =
      call.operation === 'models' || isResponses ? '' : `/deployments/${encodeURIComponent(call.model)}`;
    const headers = { ...contentHeaders(call), 'api-key': channel.key.reveal().trim() };
    if (call.operation === 'realtime') return { url: realtimeUrl(base, version, call.model), headers };
    const url =
      version === 'v1'
        ? `${base}/v1/${path}`
        : `${base}${deployment}/${path}?api-version=${encodeURIComponent(version)}`;
    return { url, headers };
  },
  adjust: adjustForReasoningModels,
};

/** Here the deployment is in the query. */
const realtimeUrl = (base: string, version: string, model: string): string =>
  version === 'v1'
    ? `${base}/v1/realtime?model=${encodeURIComponent(model)}`
    : `${base}/realtime?api-version=${encodeURIComponent(version)}&deployment=${encodeURIComponent(model)}`;
