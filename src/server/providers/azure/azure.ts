import type { Channel } from '#core/channel/channel.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../../dialects/anthropic-messages/fill-request.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { adjustForReasoningModels } from '../adjust-chat.ts';
import { messagesHeaders } from '../claude-headers.ts';
import { claudeSettings } from '../claude-settings.ts';
import { baseUrlOf, contentHeaders, PATHS } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { betterAtOpenai, chatAtOpenai } from '../openai-models.ts';

const DEFAULT_API_VERSION = '2025-04-01-preview';

const isClaude = (model: string): boolean => model.startsWith('claude-');

/** People paste the address with what follows the resource's own. */
const resourceOf = (channel: Channel): string =>
  baseUrlOf(channel).replace(/\/(?:anthropic(?:\/v1)?|openai(?:\/v1|\/deployments(?:\/.*)?)?)$/, '');

/**
 * Azure OpenAI: the model is a deployment and stands in the path, with a dated API version from the channel's `other`.
 * `v1` there means the undated paths, where the model stands in the body. Deployments of Claude, which are told by their
 * names, speak the Messages format at the same resource (learn.microsoft.com/azure, Claude models in Foundry).
 */
export const azure: Provider = {
  dialect: chatAtOpenai,
  natives: [openaiResponses],
  betterFor: betterAtOpenai,
  dialectFor: (model) => (isClaude(model) ? anthropicMessages : undefined),
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
    if (call.operation === 'chat' && isClaude(call.model))
      return {
        url: `${resourceOf(channel)}/anthropic/v1/messages`,
        headers: { ...contentHeaders(call), ...messagesHeaders(channel, call) },
      };
    const version = channel.other.trim() === '' ? DEFAULT_API_VERSION : channel.other.trim();
    const isResponses = call.dialect === openaiResponses.name;
    const base = `${resourceOf(channel)}/openai`;
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
  adjust: (body, call) =>
    call.operation === 'chat' && isClaude(call.model)
      ? fillRequest(body, call.model, claudeSettings(call))
      : adjustForReasoningModels(body, call),
};

/** Here the deployment is in the query. */
const realtimeUrl = (base: string, version: string, model: string): string =>
  version === 'v1'
    ? `${base}/v1/realtime?model=${encodeURIComponent(model)}`
    : `${base}/realtime?api-version=${encodeURIComponent(version)}&deployment=${encodeURIComponent(model)}`;
