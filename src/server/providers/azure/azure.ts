import type { Channel } from '#core/channel/channel.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../../dialects/anthropic-messages/request/fill-request.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { forOpenaiModels } from '../shared/chat/adjust-chat.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { messagesHeaders } from '../shared/models/claude-headers.ts';
import { claudeSettings } from '../shared/models/claude-settings.ts';
import { PATHS } from '../shared/description/openai-layout.ts';
import { betterAtOpenai, chatAtOpenai } from '../shared/models/openai-models.ts';
import { provider } from '../shared/description/provider.ts';
import { gpt } from '../shared/description/model-lists.ts';

const DEFAULT_API_VERSION = '2025-04-01-preview';

const isClaude = (model: string): boolean => model.startsWith('claude-');
const isClaudeChat = ({ operation, model }: UpstreamCall): boolean => operation === 'chat' && isClaude(model);

/** The resource's address. Operators paste it with the paths that follow it. */
const resourceOf = (channel: Channel): string =>
  baseUrlOf(channel).replace(/\/(?:anthropic(?:\/v1)?|openai(?:\/v1|\/deployments(?:\/.*)?)?)$/, '');

/**
 * Azure OpenAI. The path names the deployment of the model, and a dated API version from the channel's `other`. `v1` in
 * `other` means the paths without a date, where the body names the model. Deployments of Claude, recognized by name, use
 * the Messages format at the same resource (learn.microsoft.com/azure, Claude models in Foundry).
 */
export const azure = provider({
  types: [3],
  key: { header: 'api-key' },
  keyFor: (_, call) => (isClaudeChat(call) ? { header: 'x-api-key' } : undefined),
  dialect: chatAtOpenai,
  natives: [openaiResponses],
  betterFor: betterAtOpenai,
  dialectFor: (model) => (isClaude(model) ? anthropicMessages : undefined),
  offers: {
    chat: {
      write: (body, call) =>
        isClaude(call.model)
          ? fillRequest(body, call.model, claudeSettings(call))
          : forOpenaiModels(body, call),
    },
    completions: {},
    embeddings: {},
    images: {},
    'image-edits': {},
    speech: {},
    transcriptions: {},
    translations: {},
    realtime: {},
    models: {},
  },
  headers: (channel, call) => (isClaudeChat(call) ? messagesHeaders(channel, call) : {}),
  url: (channel, call) => {
    const { operation, model, dialect } = call;
    if (isClaudeChat(call)) return `${resourceOf(channel)}/anthropic/v1/messages`;
    const version = channel.other.trim() === '' ? DEFAULT_API_VERSION : channel.other.trim();
    const isResponses = dialect === openaiResponses.name;
    const base = `${resourceOf(channel)}/openai`;
    if (operation === 'realtime') return realtimeUrl(base, version, model);
    const path = isResponses ? '/responses' : PATHS[operation];
    if (version === 'v1') return `${base}/v1${path}`;
    // Responses requests name the model in the body.
    const deployment =
      operation === 'models' || isResponses ? '' : `/deployments/${encodeURIComponent(model)}`;
    return `${base}${deployment}${path}?api-version=${encodeURIComponent(version)}`;
  },
  // learn.microsoft.com: owners name their deployments, usually after the model
  models: gpt,
});

/** Realtime names the deployment in the query. */
const realtimeUrl = (base: string, version: string, model: string): string =>
  version === 'v1'
    ? `${base}/v1/realtime?model=${encodeURIComponent(model)}`
    : `${base}/realtime?api-version=${encodeURIComponent(version)}&deployment=${encodeURIComponent(model)}`;
