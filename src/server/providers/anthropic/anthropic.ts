import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../../dialects/anthropic-messages/fill-request.ts';
import { baseUrlOf, contentHeaders } from '../openai-layout.ts';
import type { Operation } from '#core/operation.ts';
import type { Provider } from '../provider.ts';
import { messagesHeaders } from '../claude-headers.ts';
import { claudeSettings } from '../claude-settings.ts';

const PATHS: Partial<Readonly<Record<Operation, string>>> = {
  chat: '/messages',
  models: '/models?limit=1000',
};

/** Anthropic itself, and anything that answers at the same paths. */
export const anthropic: Provider = {
  dialect: anthropicMessages,
  operations: ['chat', 'models'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel).replace(/\/v1$/, '')}/v1${PATHS[call.operation] ?? ''}`,
    headers: { ...contentHeaders(call), ...messagesHeaders(channel, call) },
  }),
  adjust: (body, call) =>
    call.operation === 'chat' ? fillRequest(body, call.model, claudeSettings(call)) : body,
};
