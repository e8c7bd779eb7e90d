import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../../dialects/anthropic-messages/request/fill-request.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { messagesHeaders } from '../shared/models/claude-headers.ts';
import { claudeSettings } from '../shared/models/claude-settings.ts';
import { provider } from '../shared/description/provider.ts';
import { claude } from '../shared/description/model-lists.ts';

/** Anthropic, and any server with the same paths. */
export const anthropic = provider({
  types: [14],
  key: { header: 'x-api-key' },
  dialect: anthropicMessages,
  root: (channel) => baseUrlOf(channel).replace(/\/v1$/, ''),
  headers: messagesHeaders,
  offers: {
    chat: {
      path: '/v1/messages',
      write: (body, call) => fillRequest(body, call.model, claudeSettings(call)),
    },
    models: { path: '/v1/models?limit=1000' },
  },
  // platform.claude.com/docs/en/models/overview; model deprecations
  models: claude,
});
