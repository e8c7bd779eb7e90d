import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { isOpenaiChat, withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { reasoningInOwnField } from '../shared/chat/earlier-reasoning.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { field, inWords, type WriteThinking } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

/** Source: inference-docs.cerebras.ai/capabilities/reasoning. */
const cerebrasThinking: WriteThinking = (wanted, model) =>
  field('reasoning_effort', wanted.isOff && !/gpt-oss/.test(model) ? 'none' : inWords(wanted.effort));

/** Source: inference-docs.cerebras.ai. */
export const cerebras = openaiLayout({
  types: [103],
  prefix: '/v1',
  thinking: cerebrasThinking,
  offers: {
    chat: {
      write: (body, call) => (isOpenaiChat(call) ? reasoningInOwnField(withoutDeveloper(body)) : body),
    },
    completions: {},
    models: {},
  },
  errorPatterns: PAYMENT_REQUIRED,
  // inference-docs.cerebras.ai/models
  models: named('gpt-oss-120b gemma-4-31b zai-glm-4.7'),
});
