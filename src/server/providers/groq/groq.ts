import { isOpenaiChat, withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { reasoningInOwnField } from '../shared/chat/earlier-reasoning.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { field, inWords, type WriteThinking, switched } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

/** Unparsed reasoning would be part of the text; gpt-oss always parses it (console.groq.com/docs/reasoning). */
const groqThinking: WriteThinking = (wanted, model) => {
  if (/gpt-oss/.test(model)) return field('reasoning_effort', inWords(wanted.effort));
  if (!/qwen|deepseek-r1/i.test(model)) return {};
  return { reasoning_format: 'parsed', ...field('reasoning_effort', switched(wanted, 'default', 'none')) };
};

/** Source: console.groq.com/docs/openai. */
export const groq = openaiLayout({
  types: [100],
  prefix: '/openai/v1',
  thinking: groqThinking,
  offers: {
    chat: {
      write: (body, call) => (isOpenaiChat(call) ? reasoningInOwnField(withoutDeveloper(body)) : body),
    },
    models: {},
    speech: {},
    transcriptions: {},
    translations: {},
  },
  natives: { responses: '/openai/v1/responses' },
  // console.groq.com/docs/models
  models: named(`openai/gpt-oss-120b openai/gpt-oss-20b openai/gpt-oss-safeguard-20b qwen/qwen3.6-27b
    groq/compound groq/compound-mini whisper-large-v3 whisper-large-v3-turbo canopylabs/orpheus-v1-english`),
});
