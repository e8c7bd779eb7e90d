import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { baseUrlOf, contentHeaders } from '../openai-layout.ts';
import type { Operation, Provider } from '../provider.ts';

/** The version of the format that is written here (platform.claude.com/docs, API versions). */
const VERSION = '2023-06-01';

const PATHS: Partial<Readonly<Record<Operation, string>>> = { chat: '/messages', models: '/models' };

/** Anthropic itself, and anything that answers at the same paths. */
export const anthropic: Provider = {
  dialect: anthropicMessages,
  operations: ['chat', 'models'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel).replace(/\/v1$/, '')}/v1${PATHS[call.operation] ?? ''}`,
    headers: {
      ...contentHeaders(call),
      'x-api-key': channel.key.reveal().trim(),
      'anthropic-version': VERSION,
    },
  }),
};
