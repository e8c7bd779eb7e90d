import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../../dialects/anthropic-messages/fill-request.ts';
import { baseUrlOf, contentHeaders } from '../openai-layout.ts';
import type { Operation, Provider } from '../provider.ts';
import { claudeHeaders, givenHeader } from '../claude-headers.ts';
import { claudeSettings } from '../claude-settings.ts';

/** The version of the format that is written here (platform.claude.com/docs, API versions). */
const VERSION = '2023-06-01';

const PATHS: Partial<Readonly<Record<Operation, string>>> = {
  chat: '/messages',
  models: '/models?limit=1000',
};

/** A version as a caller may ask for it. */
const VERSION_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Anthropic itself, and anything that answers at the same paths. */
export const anthropic: Provider = {
  dialect: anthropicMessages,
  operations: ['chat', 'models'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel).replace(/\/v1$/, '')}/v1${PATHS[call.operation] ?? ''}`,
    headers: {
      ...contentHeaders(call),
      'x-api-key': channel.key.reveal().trim(),
      'anthropic-version': givenHeader(call, 'anthropic-version', VERSION_SHAPE) ?? VERSION,
      ...claudeHeaders(call),
    },
  }),
  adjust: (body, call) =>
    call.operation === 'chat' ? fillRequest(body, call.model, claudeSettings(call)) : body,
};
